import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning

extension AttachmentProcessor {
    /// Opens an attachment and reads its header; a picture is digested too, once it is admitted.
    ///
    /// - Parameter request: The attachment.
    /// - Returns: What it was found to be.
    /// - Throws: `AttachmentError` when it cannot be read, or is over a ceiling.
    func look(at request: AttachmentRequest) throws(AttachmentError) -> Found {
        let file = try request.openFile()
        switch try Probe.attachment(of: file.descriptor, file: file.path) {
        case .media(let header): return .media(file, header)
        case .picture(var header):
            // What ffmpeg writes is as large as it is lossless: it is never copied as it is.
            if request.posterOf != nil { header.hasMetadata = true }
            try admit(header, file: file.path)
            return .picture(Intake(file: file, header: header, digest: try file.digest()))
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

/// A picture that was looked at.
struct Intake: Sendable {
    /// The open file.
    let file: AttachmentFile
    /// What the probe learnt of it.
    let header: AttachmentHeader
    /// The digest of the file.
    let digest: ContentDigest
}

/// What an attachment was found to be.
enum Found: Sendable {
    /// A picture, of which renditions are made.
    case picture(Intake)
    /// Sound or a movie, which is passed through.
    case media(AttachmentFile, MediaHeader)
}
