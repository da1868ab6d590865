import AttachmentContainer

/// The picture that renditions are encoded from; the only reference to it.
///
/// A streamed picture is decoded while it is read, once from top to bottom. A held picture lies in memory
/// or in a scratch file and can be read any number of times. The type is not copyable, so that the
/// decoder, its buffers and its pixels are released before the next reading begins.
struct RenderedPicture: ~Copyable {
    /// The size, in pixels.
    let size: PixelSize
    /// True if the last band is alpha.
    let hasAlpha: Bool
    /// True for luminance only, with or without alpha.
    let isGrey: Bool
    private var source: Source

    private enum Source {
        case streamed(VipsImage)
        case held(() throws(VipsError) -> VipsImage)
        case spent
    }

    /// Wraps a picture that is decoded while it is read.
    ///
    /// - Parameter image: The picture.
    init(streaming image: VipsImage) {
        self.init(like: image, .streamed(image))
    }

    /// Wraps a held picture.
    ///
    /// - Parameter read: Builds a new graph over the held pixels for each reading, at the cost of a
    ///   few rows.
    /// - Throws: `VipsError` if the first graph cannot be built.
    init(held read: @escaping () throws(VipsError) -> VipsImage) throws(VipsError) {
        self.init(like: try read(), .held(read))
    }

    private init(like image: VipsImage, _ source: Source) {
        size = image.size
        hasAlpha = image.hasAlpha
        isGrey = image.isGrey
        self.source = source
    }

    /// False for a streamed picture after its only reading.
    var isReadable: Bool {
        if case .spent = source { false } else { true }
    }

    /// Begins a reading; it must end before the next one begins.
    ///
    /// - Returns: The picture, to be read once from top to bottom.
    /// - Throws: `VipsError` for the second reading of a streamed picture.
    mutating func read() throws(VipsError) -> VipsImage {
        switch source {
        case .streamed(let image):
            source = .spent
            return image
        case .held(let read):
            return try read()
        case .spent:
            throw VipsError(operation: "picture", message: "a streamed picture was read twice")
        }
    }
}
