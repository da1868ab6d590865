package import AttachmentContainer
internal import CVips

/// A libvips picture: a graph whose pixels are computed on demand.
///
/// It owns one reference. It is not `Sendable`: the thread that built a graph also evaluates it.
package final class VipsImage {
    let pointer: UnsafeMutablePointer<CVips.VipsImage>
    /// The fault of the decoder whose pixels the graph computes from; nil without such a decoder.
    let fault: CallbackFault?

    init(
        owning pointer: UnsafeMutablePointer<CVips.VipsImage>, fault: CallbackFault? = nil
    ) {
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
        let call = try VipsCall(loader.rawValue, all)
        try call.build()
        return try call.image()
    }

    /// Copies interleaved 8-bit samples, rows from top to bottom.
    package static func from(
        samples: [UInt8], size: PixelSize, bands: Int
    ) throws(VipsError) -> VipsImage {
        try memory(samples, size: size, bands: bands, format: VIPS_FORMAT_UCHAR)
    }

    /// Copies interleaved 16-bit samples in native byte order, rows from top to bottom.
    package static func from(
        samples: [UInt16], size: PixelSize, bands: Int
    ) throws(VipsError) -> VipsImage {
        try memory(samples, size: size, bands: bands, format: VIPS_FORMAT_USHORT)
    }

    private static func memory<Sample>(
        _ samples: [Sample], size: PixelSize, bands: Int, format: VipsBandFormat
    ) throws(VipsError) -> VipsImage {
        try VipsLibrary.start()
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
        let call = try VipsCall(name, all)
        try call.build()
        return try call.image()
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
        let call = try VipsCall(name, all)
        try call.build()
        return call.number()
    }

    /// Computes the pixels and encodes them with a saver such as `jpegsave_target`.
    package func save(
        to output: VipsOutput, with saver: String, _ arguments: [String: VipsArgument] = [:]
    ) throws(VipsError) {
        var all = arguments
        all["in"] = .image(self)
        all["target"] = .output(output)
        try VipsCall(saver, all).build()
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
