import AttachmentContainer
import AttachmentFormats
import AttachmentModel

extension AttachmentRenderer {
    func probe(_ request: RenderRequest) throws(AttachmentError) -> ProbedAttachment {
        let file = request.file
        switch try Probe(formats).attachment(file) {
        case .media(let header): return .media(header)
        case .picture(var header):
            // ffmpeg's lossless frames are large, so a poster is never copied as it is.
            if request.isPoster { header.mustBeEncoded = true }
            try admit(header, file: file.path)
            return .picture(header)
        }
    }

    private func admit(_ header: AttachmentHeader, file: String) throws(AttachmentError) {
        guard header.fileBytes <= settings.maximumSourceBytes else {
            throw AttachmentError(
                .tooLarge, file: file,
                reason: "the file has \(header.fileBytes), more than the ceiling of "
                    + "\(settings.maximumSourceBytes)")
        }
        guard header.codedSize.pixelCount <= settings.maximumPixels else {
            throw AttachmentError(
                .dimensions, file: file,
                reason: "it claims \(header.codedSize) pixels, more than the ceiling of "
                    + "\(Double(settings.maximumPixels) / 1_000_000) million")
        }
        let pixels = header.codedSize.pixelCount
        guard
            pixels <= Self.sparseCheckThreshold
                || pixels / max(1, header.fileBytes.bytes) <= settings.maximumPixelsPerByte
        else {
            throw AttachmentError(
                .sparse, file: file,
                reason: "it claims \(header.codedSize) pixels in \(header.fileBytes), more than "
                    + "\(settings.maximumPixelsPerByte) a byte")
        }
    }

    /// Number of pixels up to which the ratio to the file's length is not checked: a drawing of one
    /// colour of this size is decoded within a second.
    private static let sparseCheckThreshold = 64_000_000
}
