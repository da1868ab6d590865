/// Body of a marker segment (T.81, B.1.1.4), read sequentially.
struct JPEGSegment {
    let offset: Int
    private let bytes: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8], at offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    var isAtEnd: Bool { next == bytes.count }

    mutating func uint8() throws(DecodingFault) -> UInt8 {
        guard next < bytes.count else { throw fault(.corrupt, "a segment is too short") }
        defer { next += 1 }
        return bytes[next]
    }

    mutating func uint16() throws(DecodingFault) -> Int {
        let high = Int(try uint8())
        return high << 8 | Int(try uint8())
    }

    mutating func bytes(_ count: Int) throws(DecodingFault) -> ArraySlice<UInt8> {
        guard count <= bytes.count - next else { throw fault(.corrupt, "a segment is too short") }
        defer { next += count }
        return bytes[next..<next + count]
    }

    func fault(_ code: DecodingFault.Code, _ reason: String) -> DecodingFault {
        DecodingFault(code, at: offset + next, reason)
    }
}
