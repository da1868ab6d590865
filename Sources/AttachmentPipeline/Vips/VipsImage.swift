package import AttachmentContainer
internal import CVips

/// A picture in libvips: a recipe for pixels, which are computed when they are asked for.
///
/// It owns one reference. It is not `Sendable`: a recipe is evaluated by the thread that made it.
package final class VipsImage {
    let pointer: UnsafeMutablePointer<CVips.VipsImage>

    /// Takes over one reference.
    ///
    /// - Parameter pointer: The image; the reference is released with the object.
    init(owning pointer: UnsafeMutablePointer<CVips.VipsImage>) {
        self.pointer = pointer
    }

    deinit { g_object_unref(pointer) }

    /// Opens a picture; only its header is read.
    ///
    /// - Parameters:
    ///   - input: Where the bytes come from.
    ///   - loader: Which of the allowed loaders reads them.
    ///   - arguments: Further arguments of the loader.
    /// - Returns: The picture, to be read once from top to bottom.
    /// - Throws: `VipsError` with libvips' own words.
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

    /// Makes a picture of interleaved 8-bit samples, copied.
    ///
    /// - Parameters:
    ///   - samples: Rows from top to bottom, `bands` bytes a pixel.
    ///   - size: In pixels.
    ///   - bands: Samples a pixel, 1 to 4.
    /// - Returns: The picture.
    /// - Throws: `VipsError` when the samples do not fill the size.
    package static func from(
        samples: [UInt8], size: PixelSize, bands: Int
    ) throws(VipsError) -> VipsImage {
        try memory(samples, size: size, bands: bands, format: VIPS_FORMAT_UCHAR)
    }

    /// Makes a picture of interleaved 16-bit samples in the machine's byte order, copied.
    ///
    /// - Parameters:
    ///   - samples: Rows from top to bottom, `bands` samples a pixel.
    ///   - size: In pixels.
    ///   - bands: Samples a pixel, 1 to 4.
    /// - Returns: The picture.
    /// - Throws: `VipsError` when the samples do not fill the size.
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

    /// The result of an operation whose input is this picture.
    ///
    /// - Parameters:
    ///   - name: The operation's nickname, for example `resize`.
    ///   - arguments: Its other arguments.
    ///   - input: What the operation calls its input; nil when it is among the arguments. The
    ///     default is `in`.
    /// - Returns: The new picture.
    /// - Throws: `VipsError` with libvips' own words.
    package func applying(
        _ name: String, _ arguments: [String: VipsArgument] = [:], input: String? = "in"
    ) throws(VipsError) -> VipsImage {
        var all = arguments
        if let input { all[input] = .image(self) }
        let call = try VipsCall(name, all)
        try call.build()
        return try call.image()
    }

    /// The bands of this picture, then those of another of the same size.
    ///
    /// - Parameter other: The picture whose bands come last.
    /// - Returns: The new picture.
    /// - Throws: `VipsError` with libvips' own words.
    package func joined(with other: VipsImage) throws(VipsError) -> VipsImage {
        try applying("bandjoin", ["in": .images([self, other])], input: nil)
    }

    /// A number that an operation computes from this picture.
    ///
    /// - Parameters:
    ///   - name: The operation's nickname, for example `min`.
    ///   - arguments: Its other arguments.
    /// - Returns: The number.
    /// - Throws: `VipsError` with libvips' own words.
    package func measuring(
        _ name: String, _ arguments: [String: VipsArgument] = [:]
    ) throws(VipsError) -> Double {
        var all = arguments
        all["in"] = .image(self)
        let call = try VipsCall(name, all)
        try call.build()
        return call.number()
    }

    /// Computes the pixels and encodes them to a file.
    ///
    /// - Parameters:
    ///   - output: Where the bytes go.
    ///   - saver: The operation's nickname, for example `jpegsave_target`.
    ///   - arguments: Further arguments of the saver.
    /// - Throws: `VipsError` with libvips' own words.
    package func save(
        to output: VipsOutput, with saver: String, _ arguments: [String: VipsArgument] = [:]
    ) throws(VipsError) {
        var all = arguments
        all["in"] = .image(self)
        all["target"] = .output(output)
        try VipsCall(saver, all).build()
    }

    /// Computes the pixels once and keeps them, so that they can be read in any order, repeatedly.
    ///
    /// - Returns: The picture, held in memory.
    /// - Throws: `VipsError` with libvips' own words.
    package func inMemory() throws(VipsError) -> VipsImage {
        guard let copy = vips_image_copy_memory(pointer) else {
            throw .drained(from: "hold")
        }
        return VipsImage(owning: copy)
    }

    /// Computes the pixels of an 8-bit picture.
    ///
    /// - Returns: Rows from top to bottom, `bands` bytes a pixel.
    /// - Throws: `VipsError` with libvips' own words.
    package func samples() throws(VipsError) -> [UInt8] {
        var count = 0
        guard let memory = vips_image_write_to_memory(pointer, &count) else {
            throw .drained(from: "samples")
        }
        defer { g_free(memory) }
        return Array(UnsafeRawBufferPointer(start: memory, count: count))
    }
}
