package import AttachmentContainer
import AttachmentFormats
package import AttachmentModel
import AttachmentPlanning

package struct EncodedRendition {
    package let role: RenditionRole
    /// The file; nil for the unchanged attachment.
    package let output: RenditionOutput?
    /// The header that a probe of the file would give.
    package let header: AttachmentHeader
    package let notes: [String]
    package let part: UnitRectangle?

    package var isCopy: Bool { output == nil }
    var type: RenditionType {
        switch header.format {
        case .gif: .gif
        case .png: .png
        default: .jpeg
        }
    }
}

extension EncodedRendition {
    package init(keeping header: AttachmentHeader) {
        self.init(
            role: .expanded, output: nil, header: header, notes: ["kept as it was"], part: nil)
    }
}

extension EncodingLadder.Attempt {
    /// The header that a probe of the encoded file would give.
    func header(of picture: PictureFacts, fileBytes: ByteCount) -> AttachmentHeader {
        let sampling: JPEGSampling =
            if case .fullChromaJPEG = encoding { .yCbCr444 } else { .yCbCr420 }
        return AttachmentHeader(
            encoding.isPNG ? PNGCoding() : JPEGCoding(.baseline, sampling), storedSize: size,
            colourModel: picture.isGrey ? .grey : .rgb, hasAlpha: picture.hasAlpha,
            fileBytes: fileBytes)
    }

    /// Note on what was given up for `purpose`, such as "for the byte ceiling".
    func note(against first: Self, _ purpose: String) -> String? {
        guard encoding != first.encoding || self.size != first.size else { return nil }
        let size = size == first.size ? "" : " at \(size)"
        return switch encoding {
        case .jpeg(let quality) where first.encoding == .fullChromaJPEG(quality: quality):
            "halved chroma\(size) \(purpose)"
        case .jpeg(let quality), .fullChromaJPEG(let quality):
            "quality \(quality)\(size) \(purpose)"
        case .png: "reduced\(size) \(purpose)"
        case .palettePNG: "256 colours\(size) \(purpose)"
        }
    }
}

extension Encoding {
    var isPNG: Bool {
        switch self {
        case .jpeg, .fullChromaJPEG: false
        case .png, .palettePNG: true
        }
    }
}
