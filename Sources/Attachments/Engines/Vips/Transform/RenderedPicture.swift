import AttachmentContainer
import AttachmentPipeline

/// Order in which the rows of a picture's graph can be read.
enum ReadingOrder {
    /// Any, any number of times.
    case any
    /// Once, from top to bottom.
    case topToBottom
}

/// The only reference to the picture that renditions are encoded from.
///
/// A streamed picture is decoded while it is read, once from top to bottom. A held picture lies in
/// memory or in a scratch file and can be read any number of times. The type is not copyable, so
/// that decoder, buffers and pixels are released before the next reading begins.
struct RenderedPicture: ~Copyable {
    let size: PixelSize
    let hasAlpha: Bool
    let isGrey: Bool
    var notes: [String] = []
    /// Order in which each result of ``read()`` can be read.
    let order: ReadingOrder
    private var source: Source

    private enum Source {
        case streamed(VipsImage)
        case held(() throws(VipsError) -> VipsImage)
        case spent
    }

    init(streaming image: VipsImage) {
        self.init(like: image, .topToBottom, .streamed(image))
    }

    /// Wraps a held picture; `read` builds a new graph over its pixels for each reading.
    init(
        held read: @escaping () throws(VipsError) -> VipsImage, order: ReadingOrder = .any
    ) throws(VipsError) {
        self.init(like: try read(), order, .held(read))
    }

    private init(like image: VipsImage, _ order: ReadingOrder, _ source: Source) {
        size = image.size
        hasAlpha = image.hasAlpha
        isGrey = image.isGrey
        self.order = order
        self.source = source
    }

    var isReadable: Bool {
        if case .spent = source { false } else { true }
    }

    /// Begins a reading, which must end before the next one; a streamed picture has only one.
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
