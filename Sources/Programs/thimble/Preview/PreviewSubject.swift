import AttachmentContainer
import Foundation
import NotificationPayload
import NotificationPreview

/// Subject of a preview: a notification of a container, a payload, or an attachment.
enum PreviewSubject {
    case notification(Manifest, SharedContainer)
    /// One of `count` payloads of a file in a folder.
    case payload(APNsPayload, folder: String, count: Int)
    case attachment(String)

    /// Longest payload that is read, as for `thimble check`.
    private static let longest = JSONLimits().maximumBytes

    /// Error for a payload's number above the number of payloads in the file.
    struct NoPayload: Error, CustomStringConvertible {
        let count: Int
        var description: String { "the file has \(count) payloads" }
    }

    /// Resolves a name: an identifier of the container, a file, or a URL.
    ///
    /// `number` counts the payloads of an array or a stream, from 1.
    init(_ name: String, number: Int, in container: SharedContainer?) throws {
        if let container, let manifest = try container.manifest(for: name) {
            self = .notification(manifest, container)
        } else if let bytes = Self.payload(at: name) {
            let payloads = try Self.payloads(in: bytes)
            guard payloads.indices.contains(number - 1) else {
                throw NoPayload(count: payloads.count)
            }
            let payload = try APNsPayload(payloads[number - 1])
            if let container, let identifier = payload.identifier(),
                let manifest = try container.manifest(for: identifier)
            {
                self = .notification(manifest, container)
            } else {
                let folder = URL(fileURLWithPath: name).deletingLastPathComponent().path
                self = .payload(payload, folder: folder, count: payloads.count)
            }
        } else {
            self = .attachment(name)
        }
    }

    /// The payloads of a file: one, an array of them, or one per line.
    private static func payloads(in bytes: [UInt8]) throws(PayloadError) -> [JSONDocument] {
        var splitter = PayloadSplitter()
        let pieces = splitter.append(bytes) + splitter.finish()
        if let error = pieces.lazy.compactMap(\.refusal).first { throw error }
        return pieces.compactMap {
            if case .document(let document, _) = $0 { document } else { nil }
        }
    }

    /// The bytes of a file that begins as a JSON object or array; nil for others.
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
            guard bytes.first(where: { !isSpace($0) }).map("{[".utf8.contains) ?? true
            else { return nil }
        }
        return !bytes.allSatisfy(isSpace) && bytes.count <= longest ? bytes : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
