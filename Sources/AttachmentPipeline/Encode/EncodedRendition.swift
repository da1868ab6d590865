import AttachmentContainer
import AttachmentPlanning

/// A rendition that is encoded and not yet published.
struct EncodedRendition {
    /// The file with the bytes; nil for the attachment as it was.
    let output: RenditionOutput?
    /// What a probe would say of them.
    let header: AttachmentHeader
    /// What was given up for the byte ceiling, or not needed; for the manifest.
    let notes: [String]
    /// What part it is of the picture that it was cut from; nil for the whole.
    let part: UnitRectangle?

    /// Whether it is the attachment, byte for byte.
    var isCopy: Bool { output == nil }
    /// The kind of file that the header tells.
    var type: RenditionType { header.format == .png ? .png : .jpeg }
}

extension EncodedRendition {
    /// The attachment as it was.
    ///
    /// - Parameter header: What the probe learnt of it.
    init(keeping header: AttachmentHeader) {
        self.init(output: nil, header: header, notes: ["kept as it was"], part: nil)
    }
}

extension EncodingLadder.Attempt {
    /// What a probe would say of the file that this attempt gave.
    ///
    /// - Parameters:
    ///   - picture: The picture that was encoded.
    ///   - fileBytes: The length of the file.
    /// - Returns: The header.
    func header(of picture: borrowing RenderedPicture, fileBytes: ByteCount) -> AttachmentHeader {
        let isPNG = picture.hasAlpha
        return AttachmentHeader(
            format: isPNG ? .png : .jpeg, coding: isPNG ? .sequential : .baseline,
            storedSize: size, colourModel: picture.isGrey ? .grey : .rgb, hasAlpha: isPNG,
            fileBytes: fileBytes)
    }

    /// What was given up against the first attempt, for the manifest.
    ///
    /// - Parameter first: The first attempt.
    /// - Returns: The note; nil when nothing was given up.
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
