import AttachmentContainer

/// The picture that renditions are encoded from, and the only reference to it.
///
/// A streamed picture is decoded while it is read, once from top to bottom. A held one lies in memory
/// or in a scratch file, and can be read again and again. It is not copyable, so that the decoder, its
/// buffers and the pixels of one reading are released before the next one begins.
struct RenderedPicture: ~Copyable {
    /// The size, in pixels.
    let size: PixelSize
    /// Whether the last band is alpha.
    let hasAlpha: Bool
    /// Whether there is only luminance, with or without alpha.
    let isGrey: Bool
    private var source: Source

    private enum Source {
        case streamed(VipsImage)
        case held(() throws(VipsError) -> VipsImage)
        case spent
    }

    /// Takes a picture that is decoded while it is read.
    ///
    /// - Parameter image: The picture.
    init(streaming image: VipsImage) {
        self.init(like: image, .streamed(image))
    }

    /// Takes a picture that is held.
    ///
    /// - Parameter read: Describes the picture anew for each reading, at no more than the cost of a
    ///   few rows.
    /// - Throws: `VipsError` when the first description fails.
    init(held read: @escaping () throws(VipsError) -> VipsImage) throws(VipsError) {
        self.init(like: try read(), .held(read))
    }

    private init(like image: VipsImage, _ source: Source) {
        size = image.size
        hasAlpha = image.hasAlpha
        isGrey = image.isGrey
        self.source = source
    }

    /// Whether there is something to read: a streamed picture is gone after the first reading.
    var isReadable: Bool {
        if case .spent = source { false } else { true }
    }

    /// Begins a reading, which must end before the next.
    ///
    /// - Returns: The picture, to be read once from top to bottom.
    /// - Throws: `VipsError` when a streamed picture was read before.
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
