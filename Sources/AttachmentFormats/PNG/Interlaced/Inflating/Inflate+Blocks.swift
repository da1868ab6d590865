extension Inflate {
    /// Order of the code-length code lengths in a block header (RFC 1951, 3.2.7).
    private static let lengthOrder: [Int] = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]

    /// Reads the stream header (RFC 1950, 2.2).
    ///
    /// Ignores the declared window size: some encoders declare less than they use, and the maximum
    /// is allocated anyway.
    mutating func readStreamHeader() throws(DecodingFault) {
        guard let header = try input.read(16) else { return damage = .shortage }
        let (method, flags) = (header & 0xFF, header >> 8)
        guard method & 0x0F == 8, method >> 4 <= 7, flags & 0x20 == 0,
            (method << 8 | flags) % 31 == 0
        else { return damage = .method }
        stage = .blockHeader
    }

    /// Reads a block header (RFC 1951, 3.2.3).
    mutating func readBlockHeader() throws(DecodingFault) {
        guard !isLastBlock else { return stage = .streamChecksum }
        guard let header = try input.read(3) else { return damage = .shortage }
        isLastBlock = header & 1 == 1
        switch header >> 1 {
        case 0: try readStoredLength()
        case 1: setFixedCodes()
        case 2: try readCodes()
        default: damage = .block
        }
    }

    /// Reads the length of a stored block and its complement (3.2.4).
    private mutating func readStoredLength() throws(DecodingFault) {
        input.align()
        guard let lengths = try input.read(32) else { return damage = .shortage }
        guard lengths & 0xFFFF == ~(lengths >> 16) & 0xFFFF else { return damage = .block }
        stage = .stored(remaining: lengths & 0xFFFF)
    }

    mutating func copyStored(_ remaining: Int) throws(DecodingFault) {
        guard remaining > 0 else { return stage = .blockHeader }
        let got = try input.readBytes(min(remaining, limit - count), into: history + count)
        guard got > 0 else { return damage = .shortage }
        count += got
        stage = .stored(remaining: remaining - got)
    }

    /// Sets the fixed codes (3.2.6).
    private mutating func setFixedCodes() {
        guard !hasFixedCodes else { return stage = .symbols }
        var lengths = [UInt8](repeating: 8, count: 288 + 32)
        for symbol in 144..<256 { lengths[symbol] = 9 }
        for symbol in 256..<280 { lengths[symbol] = 7 }
        for symbol in 288..<320 { lengths[symbol] = 5 }
        lengths.withUnsafeBufferPointer { build($0, literalCount: 288) }
        hasFixedCodes = true
    }

    /// Reads the codes of a block with dynamic codes (3.2.7).
    private mutating func readCodes() throws(DecodingFault) {
        guard let counts = try input.read(14) else { return damage = .shortage }
        let literalCount = counts & 31 + 257
        let distanceCount = counts >> 5 & 31 + 1
        let lengthCount = counts >> 10 + 4
        // The fields allow larger numbers, but no more symbols exist.
        guard literalCount <= 286, distanceCount <= 30 else { return damage = .code }
        try withUnsafeTemporaryAllocation(
            of: UInt32.self, capacity: DeflateCode.codeLengths.capacity
        ) { (table) throws(DecodingFault) in
            guard let table = table.baseAddress,
                try readLengthCode(lengthCount, into: table)
            else { return }
            try withUnsafeTemporaryAllocation(
                of: UInt8.self, capacity: literalCount + distanceCount
            ) { (lengths) throws(DecodingFault) in
                guard try readLengths(lengths, with: table) else { return }
                // A block without an end symbol could not end.
                guard lengths[256] > 0 else { return damage = .code }
                build(UnsafeBufferPointer(lengths), literalCount: literalCount)
            }
        }
    }

    /// Reads the code-length code; false if it is invalid.
    private mutating func readLengthCode(
        _ count: Int, into table: UnsafeMutablePointer<UInt32>
    ) throws(DecodingFault) -> Bool {
        var lengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<count {
            guard let length = try input.read(3) else {
                damage = .shortage
                return false
            }
            lengths[Self.lengthOrder[index]] = UInt8(length)
        }
        let isCode = lengths.withUnsafeBufferPointer {
            DeflateCode.build(DeflateCode.codeLengths, lengths: $0, into: table)
        }
        if !isCode { damage = .code }
        return isCode
    }

    /// Reads the lengths of both codes in one run; false if they are invalid.
    private mutating func readLengths(
        _ lengths: UnsafeMutableBufferPointer<UInt8>, with table: UnsafeMutablePointer<UInt32>
    ) throws(DecodingFault) -> Bool {
        var (index, previous): (Int, UInt8) = (0, 0)
        while index < lengths.count {
            guard try input.prepare() else {
                damage = .shortage
                return false
            }
            let entry = table[Int(input.cursor.word & 127)]
            input.cursor.skip(entry)
            guard entry & DeflateCode.literal != 0 else {
                damage = .code
                return false
            }
            let word = Int(truncatingIfNeeded: input.cursor.word)
            var (count, length) = (1, UInt8(truncatingIfNeeded: entry >> 16))
            switch length {
            case 16:
                guard index > 0 else {
                    damage = .code
                    return false
                }
                (count, length) = (3 + word & 3, previous)
                input.cursor.skip(2)
            case 17:
                (count, length) = (3 + word & 7, 0)
                input.cursor.skip(3)
            case 18:
                (count, length) = (11 + word & 127, 0)
                input.cursor.skip(7)
            default: break
            }
            guard count <= lengths.count - index else {
                damage = .code
                return false
            }
            for _ in 0..<count {
                lengths[index] = length
                index += 1
            }
            previous = length
        }
        return true
    }

    private mutating func build(_ lengths: UnsafeBufferPointer<UInt8>, literalCount: Int) {
        hasFixedCodes = false
        let isCode =
            DeflateCode.build(
                DeflateCode.literals, lengths: .init(rebasing: lengths[..<literalCount]),
                into: literals)
            && DeflateCode.build(
                DeflateCode.distances, lengths: .init(rebasing: lengths[literalCount...]),
                into: distances)
        if isCode { stage = .symbols } else { damage = .code }
    }
}
