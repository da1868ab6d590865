import Foundation

/// Builds binary files.
extension Data {
    /// A little-endian number.
    static func little(_ value: Int, _ count: Int = 4) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }

    /// A big-endian number.
    static func big(_ value: Int, _ count: Int = 4) -> Data {
        Data(little(value, count).reversed())
    }

    /// An ASCII name.
    static func name(_ name: String) -> Data { Data(name.utf8) }

    static func parts(_ parts: Data...) -> Data { parts.reduce(into: Data()) { $0 += $1 } }

    /// A RIFF chunk: name, length, data, and padding to an even length.
    static func chunk(_ name: String, _ body: Data) -> Data {
        parts(.name(name), .little(body.count), body, Data(count: body.count & 1))
    }

    /// A RIFF list of chunks.
    static func list(_ name: String, _ chunks: Data) -> Data {
        chunk("LIST", parts(.name(name), chunks))
    }

    /// The big-endian 32-bit number at an offset.
    func big(at place: Int) -> Int {
        self[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
