import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning

extension AttachmentRenderer {
    /// Reads the header of an attachment.
    ///
    /// - Parameter request: The attachment.
    /// - Returns: What it was found to be.
    /// - Throws: `AttachmentError` when it cannot be read, or is over a ceiling.
    func look(at request: RenderRequest) throws(AttachmentError) -> Found {
        let file = request.file
        switch try Probe.attachment(of: file.descriptor, file: file.path) {
        case .media(let header): return .media(header)
        case .picture(var header):
            // What ffmpeg writes is as large as it is lossless: it is never copied as it is.
            if request.isPoster { header.hasMetadata = true }
            try admit(header, file: file.path)
            return .picture(header)
        }
    }

    /// Refuses what is over the ceilings, before anything is decoded.
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
            pixels <= Self.neverSparse
                || pixels / max(1, header.fileBytes.bytes) <= settings.maximumPixelsPerByte
        else {
            throw AttachmentError(
                .sparse, file: file,
                reason: "it claims \(header.codedSize) pixels in \(header.fileBytes), more than "
                    + "\(settings.maximumPixelsPerByte) a byte")
        }
    }

    /// Pictures of up to so many pixels may be as empty as they like: a drawing of one colour of
    /// this size is decoded within a second.
    private static let neverSparse = 64_000_000
}

/// What an attachment was found to be.
enum Found: Sendable {
    /// A picture, of which renditions are made.
    case picture(AttachmentHeader)
    /// Sound or a movie, which is passed through.
    case media(MediaHeader)
}
