import Foundation

/// Numbers and names as files have them.
extension Data {
    /// A number of so many bytes, the lowest first.
    static func little(_ value: Int, _ count: Int = 4) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }

    /// A number of so many bytes, the highest first.
    static func big(_ value: Int, _ count: Int = 4) -> Data {
        Data(little(value, count).reversed())
    }

    /// A name in ASCII.
    static func name(_ name: String) -> Data { Data(name.utf8) }

    /// Several things one after the other.
    static func parts(_ parts: Data...) -> Data { parts.reduce(into: Data()) { $0 += $1 } }

    /// A chunk of RIFF: name, length, data, and a zero where the length is odd.
    static func chunk(_ name: String, _ body: Data) -> Data {
        parts(.name(name), .little(body.count), body, Data(count: body.count & 1))
    }

    /// A list of RIFF: chunks under a name of their own.
    static func list(_ name: String, _ chunks: Data) -> Data {
        chunk("LIST", parts(.name(name), chunks))
    }

    /// The 32-bit number at a place, the highest byte first.
    func big(at place: Int) -> Int {
        self[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
