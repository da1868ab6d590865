package import AttachmentContainer

#if SYSTEM_CODECS
    internal import CVips
#elseif BinaryVips
    internal import CVipsFramework
#endif

/// A libvips picture: a graph whose pixels are computed on demand.
///
/// It owns one reference. It is not `Sendable`: the thread that built a graph also evaluates it.
package final class VipsImage {
    let pointer: UnsafeMutablePointer<CVips.VipsImage>
    /// The fault of the decoder whose pixels the graph computes from; nil without such a decoder.
    let fault: CallbackFault?

    init(owning pointer: UnsafeMutablePointer<CVips.VipsImage>, fault: CallbackFault? = nil) {
        self.pointer = pointer
        self.fault = fault
    }

    deinit { g_object_unref(pointer) }

    /// Opens a picture by its header, for one reading from top to bottom.
    package static func open(
        _ input: VipsInput, with loader: VipsLoader, _ arguments: [String: VipsArgument] = [:]
    ) throws(VipsError) -> VipsImage {
        var all = arguments
        all["source"] = .input(input)
        all["access"] = .name("sequential")
        return try VipsCall(loader.rawValue, all).image()
    }

    /// Copies interleaved samples of 8 bits, or 16 in native byte order, rows from top to bottom.
    package static func from<Sample: FixedWidthInteger & UnsignedInteger>(
        samples: [Sample], size: PixelSize, bands: Int
    ) throws(VipsError) -> VipsImage {
        try VipsLibrary.start()
        let format = Sample.bitWidth == 8 ? VIPS_FORMAT_UCHAR : VIPS_FORMAT_USHORT
        let made = samples.withUnsafeBytes { bytes in
            vips_image_new_from_memory_copy(
                bytes.baseAddress, bytes.count, CInt(clamping: size.width),
                CInt(clamping: size.height), CInt(clamping: bands), format)
        }
        guard let made else { throw .drained(from: "new_image") }
        return VipsImage(owning: made)
    }

    /// Applies an operation to this picture.
    ///
    /// `name` is the operation's nickname, for example `resize`. `input` names its input property;
    /// nil if the input is among the arguments.
    package func applying(
        _ name: String, _ arguments: [String: VipsArgument] = [:], input: String? = "in"
    ) throws(VipsError) -> VipsImage {
        var all = arguments
        if let input { all[input] = .image(self) }
        return try VipsCall(name, all).image()
    }

    package func joined(with other: VipsImage) throws(VipsError) -> VipsImage {
        try applying("bandjoin", ["in": .images([self, other])], input: nil)
    }

    /// Computes a number from this picture with an operation such as `min`.
    package func measuring(
        _ name: String, _ arguments: [String: VipsArgument] = [:]
    ) throws(VipsError) -> Double {
        var all = arguments
        all["in"] = .image(self)
        return try VipsCall(name, all).number
    }

    /// Computes the pixels and encodes them with a saver such as `jpegsave_target`.
    package func save(
        to output: VipsOutput, with saver: String, _ arguments: [String: VipsArgument] = [:]
    ) throws(VipsError) {
        var all = arguments
        all["in"] = .image(self)
        all["target"] = .output(output)
        _ = try VipsCall(saver, all)
    }

    /// Computes the pixels into memory, for reading repeatedly and in any order.
    package func inMemory() throws(VipsError) -> VipsImage {
        guard let copy = vips_image_copy_memory(pointer) else {
            throw .drained(from: "hold", fault: fault)
        }
        return VipsImage(owning: copy)
    }

    /// Computes the samples of an 8-bit picture, rows from top to bottom.
    package func samples() throws(VipsError) -> [UInt8] {
        var count = 0
        guard let memory = vips_image_write_to_memory(pointer, &count) else {
            throw .drained(from: "samples", fault: fault)
        }
        defer { g_free(memory) }
        return Array(UnsafeRawBufferPointer(start: memory, count: count))
    }
}
