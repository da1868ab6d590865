package import AttachmentContainer

/// Small picture that a camera embedded beside the large one.
package struct EmbeddedPreview: Sendable, Hashable {
    private let hashableCoding: HashableCoding
    package let size: PixelSize
    /// Range of a complete file in the attachment; nil when the decoder locates the preview itself.
    package let bytes: Range<Int>?

    package init(_ coding: any PictureCoding, size: PixelSize, bytes: Range<Int>? = nil) {
        hashableCoding = HashableCoding(base: coding)
        self.size = size
        self.bytes = bytes
    }

    package var coding: any PictureCoding { hashableCoding.base }
}
