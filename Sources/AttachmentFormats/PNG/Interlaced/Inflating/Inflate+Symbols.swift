extension Inflate {
    /// Decodes literals and matches (RFC 1951, 3.2.3) up to the end of the step or block.
    ///
    /// A refill provides at least 56 bits: enough for three literals of the root table and a length
    /// of up to 20 bits. A second refill covers a distance of up to 28 bits. Near the end of the
    /// data, `replenish` checks after each round that all its bits existed. If not, the round's
    /// output is discarded.
    mutating func readSymbols() throws(DecodingFault) {
        let (literals, distances) = (literals, distances)
        let end = history + limit
        var cursor = input.cursor
        var next = history + count
        var round = next
        defer {
            input.cursor = cursor
            count = next - history
        }
        while true {
            if cursor.next > cursor.safe, try !replenish(&cursor) {
                next = round
                return damage = .shortage
            }
            if next >= end { return }
            cursor.refill()
            round = next
            var entry = Self.look(literals, DeflateCode.literalBits, cursor)
            if entry & DeflateCode.literal != 0 {
                Self.write(entry, &next, &cursor)
                entry = Self.look(literals, DeflateCode.literalBits, cursor)
                if entry & DeflateCode.literal != 0 {
                    Self.write(entry, &next, &cursor)
                    entry = Self.look(literals, DeflateCode.literalBits, cursor)
                    if entry & DeflateCode.literal != 0 {
                        Self.write(entry, &next, &cursor)
                        continue
                    }
                }
            }
            if entry & DeflateCode.special != 0 {
                if entry & DeflateCode.pointer != 0 {
                    entry = Self.follow(entry, literals, DeflateCode.literalBits, cursor)
                    if entry & DeflateCode.literal != 0 {
                        Self.write(entry, &next, &cursor)
                        continue
                    }
                }
                if entry & DeflateCode.special != 0 {
                    guard entry & DeflateCode.illegal == 0 else { return damage = .symbol }
                    cursor.skip(entry)
                    stage = .blockHeader
                    return
                }
            }
            let length = Self.take(entry, &cursor)
            cursor.refill()
            entry = Self.look(distances, DeflateCode.distanceBits, cursor)
            if entry & DeflateCode.pointer != 0 {
                entry = Self.follow(entry, distances, DeflateCode.distanceBits, cursor)
            }
            guard entry & DeflateCode.special == 0 else { return damage = .symbol }
            let distance = Self.take(entry, &cursor)
            guard distance <= next - history else { return damage = .symbol }
            Self.copy(length, from: distance, to: next)
            next += length
        }
    }

    /// Replenishes through a copy, so that the loop's own cursor never leaves registers.
    @inline(__always)
    private mutating func replenish(
        _ cursor: inout BitInput.Cursor
    ) throws(DecodingFault) -> Bool {
        var moved = cursor
        let isWithin = try input.replenish(&moved)
        cursor = moved
        return isWithin
    }

    /// Root-table entry for the next bits.
    @inline(__always)
    private static func look(
        _ table: UnsafeMutablePointer<UInt32>, _ bits: Int, _ cursor: BitInput.Cursor
    ) -> UInt32 {
        table[Int(truncatingIfNeeded: cursor.word & (1 &<< UInt64(bits) &- 1))]
    }

    /// Second-level entry for a code longer than the root table's index.
    @inline(__always)
    private static func follow(
        _ entry: UInt32, _ table: UnsafeMutablePointer<UInt32>, _ bits: Int,
        _ cursor: BitInput.Cursor
    ) -> UInt32 {
        let index = cursor.word &>> UInt64(bits) & (1 &<< UInt64(entry &>> 8 & 15) &- 1)
        return table[Int(entry &>> 16) &+ Int(truncatingIfNeeded: index)]
    }

    /// Drops a literal's code and writes the literal.
    @inline(__always)
    private static func write(
        _ entry: UInt32, _ output: inout UnsafeMutablePointer<UInt8>,
        _ cursor: inout BitInput.Cursor
    ) {
        cursor.skip(entry)
        output.pointee = UInt8(truncatingIfNeeded: entry &>> 16)
        output += 1
    }

    /// Drops a code and its extra bits, and returns the length or distance.
    @inline(__always)
    private static func take(_ entry: UInt32, _ cursor: inout BitInput.Cursor) -> Int {
        let bits = cursor.word & (1 &<< UInt64(entry) &- 1)
        cursor.skip(entry)
        return Int(entry &>> 16) &+ Int(truncatingIfNeeded: bits &>> UInt64(entry &>> 8 & 15))
    }

    /// Copies a match in eight-byte words; writes up to 13 bytes past its end.
    @inline(__always)
    private static func copy(
        _ length: Int, from distance: Int, to output: UnsafeMutablePointer<UInt8>
    ) {
        var (index, distance) = (0, distance)
        if distance < 8 {
            // After its first bytes, the pattern repeats at multiples of the distance. Each
            // hexadecimal digit is the smallest multiple of one distance (1 to 7) that is at least
            // a word: 8, 8, 9, 8, 10, 12, 14.
            let multiple = 0xECA8_9880 &>> (4 &* distance) & 15
            repeat {
                output[index] = output[index - distance]
                index &+= 1
            } while index < multiple
            distance = multiple
        }
        while index < length {
            let word = UnsafeRawPointer(output + index - distance).loadUnaligned(as: UInt64.self)
            UnsafeMutableRawPointer(output + index).storeBytes(of: word, as: UInt64.self)
            index &+= 8
        }
    }
}
