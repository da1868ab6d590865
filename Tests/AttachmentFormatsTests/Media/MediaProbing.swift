import AttachmentFormats
import AttachmentModel
import Testing

/// Probes bytes of a sound or movie.
func media(_ bytes: [UInt8]) throws -> MediaHeader {
    let file = ScratchFile(bytes)
    defer { file.remove() }
    guard case .media(let header) = try Probe().attachment(AttachmentFile(path: file.path)) else {
        throw NoMedia()
    }
    return header
}

/// Error of the probe; nil on success.
func mediaRefusal(of bytes: [UInt8]) -> AttachmentError? {
    let file = ScratchFile(bytes)
    defer { file.remove() }
    do throws(AttachmentError) {
        _ = try Probe().attachment(AttachmentFile(path: file.path))
        return nil
    } catch {
        return error
    }
}

/// Error for bytes that are a picture.
struct NoMedia: Error {}
