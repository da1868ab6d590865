import AttachmentContainer
import AttachmentModel
import AttachmentPlanning

/// Length that a rendition should not exceed, relative to its source.
///
/// At the source's size: the source's own length if the system attaches its type, and twice that for
/// other types, which are often coded more compactly than JPEG and PNG can. A smaller picture with
/// alpha may take twice the source too: as PNG, a lossy source would grow many times. Other smaller
/// pictures have no such limit.
///
/// A still of an animation has none, since the file has more than it. Optimised and progressive JPEGs
/// may take a slightly lower quality to keep their length, and with libvips optimal Huffman tables first.
enum RenditionAllowance {
    /// The end of a note on what was given up.
    static let purpose = "to be no longer than its source allows"

    /// `ByteCount(.max)` without a limit.
    static func bytes(of picture: PictureFacts, from plan: Plan) -> ByteCount {
        let source = plan.header
        guard picture.order.role == .expanded, plan.rung != .preview, !plan.isCropped,
            !source.isAnimated
        else { return ByteCount(.max) }
        let isWhole = picture.size == source.uprightSize
        guard isWhole || picture.hasAlpha else { return ByteCount(.max) }
        let isKept = isWhole && [.jpeg, .png, .gif].contains(source.format)
        return ByteCount(source.fileBytes.bytes * (isKept ? 1 : 2))
    }

    /// Below it the headers of PNG and JPEG decide, and a smaller size would not help.
    static let mostBytesOfHeaders = ByteCount(700)
}
