import AttachmentFormats
import AttachmentModel
import Foundation

/// Temporary file; its creator removes it.
struct ScratchFile {
    let path: String
    private let descriptor: CInt

    init(_ bytes: [UInt8] = []) {
        path = NSTemporaryDirectory() + "thimble-probe-\(UUID().uuidString)"
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        overwrite(bytes)
    }

    func remove() {
        close(descriptor)
        unlink(path)
    }

    func overwrite(_ bytes: [UInt8]) {
        ftruncate(descriptor, 0)
        pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// Probes the file.
    func header() throws(AttachmentError) -> AttachmentHeader {
        try Probe().picture(at: path)
    }
}

/// Probes bytes as a file.
func probe(_ bytes: [UInt8]) throws(AttachmentError) -> AttachmentHeader {
    let file = ScratchFile(bytes)
    defer { file.remove() }
    return try Probe().picture(at: file.path)
}

/// Error of the probe; nil on success.
func refusal(of bytes: [UInt8]) -> AttachmentError? {
    do {
        _ = try probe(bytes)
        return nil
    } catch {
        return error
    }
}
