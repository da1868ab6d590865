import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning

struct EncodedRendition {
    /// The file; nil for the unchanged attachment.
    let output: RenditionOutput?
    /// The header that a probe of the file would give.
    let header: AttachmentHeader
    let notes: [String]
    let part: UnitRectangle?

    var isCopy: Bool { output == nil }
    var type: RenditionType { header.format == .png ? .png : .jpeg }
}

extension EncodedRendition {
    init(keeping header: AttachmentHeader) {
        self.init(output: nil, header: header, notes: ["kept as it was"], part: nil)
    }
}

extension EncodingLadder.Attempt {
    /// The header that a probe of the encoded file would give.
    func header(of picture: PictureFacts, fileBytes: ByteCount) -> AttachmentHeader {
        let isPNG = picture.hasAlpha
        return AttachmentHeader(
            isPNG ? PNGCoding() : JPEGCoding(.baseline), storedSize: size,
            colourModel: picture.isGrey ? .grey : .rgb, hasAlpha: isPNG, fileBytes: fileBytes)
    }

    func note(against first: Self) -> String? {
        guard self != first else { return nil }
        let size = size == first.size ? "" : " at \(size)"
        return switch encoding {
        case .jpeg(let quality): "quality \(quality)\(size) for the byte ceiling"
        case .png: "reduced\(size) for the byte ceiling"
        case .palettePNG: "256 colours\(size) for the byte ceiling"
        }
    }
}
