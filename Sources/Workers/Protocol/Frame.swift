package import Foundation

/// Message framing: a big-endian 32-bit length, then that many bytes of JSON.
package enum Frame {
    /// Limit on the length of a message; a manifest has at most 1 MiB.
    package static let ceiling = 2 << 20

    package static func encode(_ message: some Encodable) throws(FrameError) -> Data {
        guard let body = try? JSONEncoder().encode(message) else { throw .unwritable }
        guard body.count <= ceiling else { throw .tooLong(body.count) }
        var frame = withUnsafeBytes(of: UInt32(body.count).bigEndian) { Data($0) }
        frame += body
        return frame
    }
}

package struct FrameBuffer {
    private var bytes = Data()

    package init() {}

    package mutating func append(_ new: some DataProtocol) { bytes.append(contentsOf: new) }

    package mutating func next<Message: Decodable>(
        _ type: Message.Type
    ) throws(FrameError) -> Message? {
        guard bytes.count >= 4 else { return nil }
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard length <= Frame.ceiling else { throw .tooLong(length) }
        guard length > 0 else { throw .unreadable("it is empty") }
        guard bytes.count >= 4 + length else { return nil }
        let body = Data(bytes.dropFirst(4).prefix(length))
        bytes = Data(bytes.dropFirst(4 + length))
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            throw .unreadable("\(error)")
        }
    }
}

/// Reasons for an invalid message, after which the stream cannot be trusted.
package enum FrameError: Error, Hashable {
    case tooLong(Int)
    /// The bytes are not the expected JSON; the text is the decoder's.
    case unreadable(String)
    case unwritable
}
