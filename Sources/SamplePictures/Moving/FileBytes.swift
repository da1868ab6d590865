import Foundation

/// Numbers and names as files have them.
extension Data {
    /// A number of so many bytes, the lowest first.
    static func little(_ value: Int, _ count: Int = 4) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }

    /// A name in ASCII.
    static func name(_ name: String) -> Data { Data(name.utf8) }

    /// Several things one after the other.
    static func parts(_ parts: Data...) -> Data { parts.reduce(into: Data()) { $0 += $1 } }

    /// A chunk of RIFF: name, length, data, and a zero where the length is odd.
    static func chunk(_ name: String, _ body: Data) -> Data {
        parts(.name(name), .little(body.count), body, Data(count: body.count & 1))
    }
}
