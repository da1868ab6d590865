internal import AttachmentModel

/// Bit reader for the headers of a codestream, least significant bit first (ISO/IEC 18181-1,
/// annex B).
struct JPEGXLBits {
    /// Distribution of a number: an offset, and a number of bits to add.
    struct Distribution {
        let offset: Int
        let bits: Int

        /// A constant.
        static func value(_ value: Int) -> Self { Self(offset: value, bits: 0) }
        static func bits(_ bits: Int, plus offset: Int = 0) -> Self {
            Self(offset: offset, bits: bits)
        }
    }

    private let reader: BoundedReader
    private let extents: [Range<Int>]
    private var index = 0
    private var offset: Int
    private var current: UInt8 = 0
    private var bitsLeft = 0

    init(_ reader: BoundedReader, over extents: [Range<Int>]) {
        (self.reader, self.extents) = (reader, extents)
        offset = extents.first?.lowerBound ?? 0
    }

    /// Position of the next whole byte in the file.
    var position: Int { offset }

    /// Reads an unsigned number of 0 to 32 bits, u(n).
    mutating func bits(_ count: Int) throws(HeaderFault) -> Int {
        var value = 0
        for bit in 0..<count {
            if bitsLeft == 0 { try loadByte() }
            value |= Int(current & 1) << bit
            current >>= 1
            bitsLeft -= 1
        }
        return value
    }

    mutating func flag() throws(HeaderFault) -> Bool { try bits(1) == 1 }

    mutating func skip(_ count: Int) throws(HeaderFault) {
        for _ in 0..<count { _ = try bits(1) }
    }

    /// Reads U32().
    mutating func number(
        _ first: Distribution, _ second: Distribution, _ third: Distribution,
        _ fourth: Distribution
    ) throws(HeaderFault) -> Int {
        let chosen = [first, second, third, fourth][try bits(2)]
        return chosen.offset + (try bits(chosen.bits))
    }

    /// Reads Enum().
    mutating func enumeration() throws(HeaderFault) -> Int {
        try number(.value(0), .value(1), .bits(4, plus: 2), .bits(6, plus: 18))
    }

    /// Reads U64().
    mutating func longNumber() throws(HeaderFault) -> UInt64 {
        switch try bits(2) {
        case 0: return 0
        case 1: return UInt64(1 + (try bits(4)))
        case 2: return UInt64(17 + (try bits(8)))
        default: break
        }
        var value = UInt64(try bits(12))
        var shift: UInt64 = 12
        while try flag() {
            guard shift < 60 else { return value | UInt64(try bits(4)) << shift }
            value |= UInt64(try bits(8)) << shift
            shift += 8
        }
        return value
    }

    mutating func alignToByte() { bitsLeft = 0 }

    private mutating func loadByte() throws(HeaderFault) {
        while index < extents.count, offset >= extents[index].upperBound {
            index += 1
            if index < extents.count { offset = extents[index].lowerBound }
        }
        guard index < extents.count else {
            guard offset < reader.length else { throw .truncated(at: reader.length) }
            throw .corrupt("a JPEG XL whose codestream ends within its header", at: offset)
        }
        current = try reader.byte(at: offset)
        offset += 1
        bitsLeft = 8
    }
}
