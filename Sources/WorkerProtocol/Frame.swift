package import Foundation

/// How messages travel through a pipe: four bytes of length, the first the most significant, then as
/// many bytes of JSON.
package enum Frame {
    /// What no message reaches: a manifest is at most 1 MiB, and an error text much shorter.
    package static let ceiling = 2 << 20

    /// Makes the bytes of one message.
    ///
    /// - Parameter message: The message.
    /// - Returns: Length and JSON.
    /// - Throws: `FrameError` when it would pass the ceiling, or holds a number that is not finite.
    package static func encode(_ message: some Encodable) throws(FrameError) -> Data {
        guard let body = try? JSONEncoder().encode(message) else { throw .unwritable }
        guard body.count <= ceiling else { throw .tooLong(body.count) }
        var frame = withUnsafeBytes(of: UInt32(body.count).bigEndian) { Data($0) }
        frame += body
        return frame
    }
}

/// The bytes of a pipe on their way to being messages, however they are cut.
package struct FrameBuffer {
    private var bytes = Data()

    /// Begins with nothing.
    package init() {}

    /// Adds what came through the pipe.
    ///
    /// - Parameter new: The next bytes.
    package mutating func append(_ new: some DataProtocol) { bytes.append(contentsOf: new) }

    /// Takes the next message off, if all of it is there.
    ///
    /// - Parameter type: What the message is.
    /// - Returns: The message; nil while bytes are missing.
    /// - Throws: `FrameError` when what came is no such message. Nothing after it can be trusted.
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

/// What is wrong with a message.
package enum FrameError: Error, Hashable {
    /// It has more bytes than any message may.
    case tooLong(Int)
    /// It is not what is expected, and why.
    case unreadable(String)
    /// It cannot be put down as JSON.
    case unwritable
}
