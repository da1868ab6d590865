import AttachmentContainer
import Foundation
import NotificationPayload
import NotificationPreview

/// What is previewed: a notification of a container, a payload, or an attachment.
enum PreviewSubject {
    case notification(Manifest, SharedContainer)
    case payload(APNsPayload, folder: String)
    case attachment(String)

    /// Longest payload that is read, as for `thimble check`.
    private static let longest = JSONLimits().maximumBytes

    /// Finds out what a name stands for: an identifier of the container, a file, or a URL.
    init(_ name: String, in container: SharedContainer?) throws {
        if let container, let manifest = try container.manifest(for: name) {
            self = .notification(manifest, container)
        } else if let bytes = Self.payload(at: name) {
            let payload = try APNsPayload(parsing: bytes)
            if let container, let identifier = payload.identifier(),
                let manifest = try container.manifest(for: identifier)
            {
                self = .notification(manifest, container)
            } else {
                let folder = URL(fileURLWithPath: name).deletingLastPathComponent().path
                self = .payload(payload, folder: folder)
            }
        } else {
            self = .attachment(name)
        }
    }

    /// The bytes of a file that begins as a JSON object; nil for others.
    static func payload(at path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= longest {
            let count = block.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += block.prefix(count)
            guard bytes.first(where: { !isSpace($0) }).map({ $0 == UInt8(ascii: "{") }) ?? true
            else { return nil }
        }
        return !bytes.allSatisfy(isSpace) && bytes.count <= longest ? bytes : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
