import AttachmentIntake
import AttachmentPlanning
import Testing

/// Probes bytes that must be sound or a movie.
func media(_ bytes: [UInt8]) throws -> MediaHeader {
    let file = ScratchFile(bytes)
    defer { file.remove() }
    guard case .media(let header) = try Probe.attachment(ofFile: file.path) else {
        throw NoMedia()
    }
    return header
}

/// What the probe says against bytes; nil when it reads them.
func mediaRefusal(of bytes: [UInt8]) -> AttachmentError? {
    let file = ScratchFile(bytes)
    defer { file.remove() }
    do throws(AttachmentError) {
        _ = try Probe.attachment(ofFile: file.path)
        return nil
    } catch {
        return error
    }
}

/// The bytes are a picture.
struct NoMedia: Error {}
