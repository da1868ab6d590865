/// The body of a marker segment (T.81, B.1.1.4), read from its start to its end.
struct JPEGSegment {
    /// Where the body begins in the file, in bytes.
    let offset: Int
    private let bytes: [UInt8]
    private var next = 0

    /// Makes a segment.
    ///
    /// - Parameters:
    ///   - bytes: The body, without marker and length.
    ///   - offset: Where it begins in the file, in bytes.
    init(_ bytes: [UInt8], at offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// Whether all of it was read.
    var isAtEnd: Bool { next == bytes.count }

    /// Bytes that were not read.
    var remaining: Int { bytes.count - next }

    /// Reads a byte.
    ///
    /// - Throws: `corrupt` at the end of the body.
    mutating func uint8() throws(DecodingFault) -> UInt8 {
        guard next < bytes.count else { throw fault(.corrupt, "a segment is too short") }
        defer { next += 1 }
        return bytes[next]
    }

    /// Reads a number of two bytes.
    ///
    /// - Throws: `corrupt` at the end of the body.
    mutating func uint16() throws(DecodingFault) -> Int {
        let high = Int(try uint8())
        return high << 8 | Int(try uint8())
    }

    /// Reads some bytes.
    ///
    /// - Parameter count: How many.
    /// - Returns: The bytes.
    /// - Throws: `corrupt` at the end of the body.
    mutating func bytes(_ count: Int) throws(DecodingFault) -> ArraySlice<UInt8> {
        guard count <= remaining else { throw fault(.corrupt, "a segment is too short") }
        defer { next += count }
        return bytes[next..<next + count]
    }

    /// A fault that shows where reading stands.
    ///
    /// - Parameters:
    ///   - code: The kind of fault.
    ///   - reason: What is wrong.
    /// - Returns: The fault.
    func fault(_ code: DecodingFault.Code, _ reason: String) -> DecodingFault {
        DecodingFault(code, at: offset + next, reason)
    }
}
