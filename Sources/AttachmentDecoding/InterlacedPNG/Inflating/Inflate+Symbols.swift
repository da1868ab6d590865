extension Inflate {
    /// Reads literals and matches (RFC 1951, 3.2.3) to the end of the step or of the block.
    ///
    /// A refill gives at least 56 bits: three literals of the first table, and a length of 20 bits at
    /// most; then another refill for a distance of 28. Where the image data end, `replenish` tells
    /// after each round whether it had all its bits, and what it wrote does not count if not.
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
                    place = .blockHeader
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

    /// Replenishes by way of a copy, so that the loop's own cursor is never in memory.
    @inline(__always)
    private mutating func replenish(
        _ cursor: inout BitInput.Cursor
    ) throws(DecodingFault) -> Bool {
        var moved = cursor
        let isWithin = try input.replenish(&moved)
        cursor = moved
        return isWithin
    }

    /// The entry of the next bits in a first table.
    @inline(__always)
    private static func look(
        _ table: UnsafeMutablePointer<UInt32>, _ bits: Int, _ cursor: BitInput.Cursor
    ) -> UInt32 {
        table[Int(truncatingIfNeeded: cursor.word & (1 &<< UInt64(bits) &- 1))]
    }

    /// The entry of a code that is longer than the first table's index.
    @inline(__always)
    private static func follow(
        _ entry: UInt32, _ table: UnsafeMutablePointer<UInt32>, _ bits: Int,
        _ cursor: BitInput.Cursor
    ) -> UInt32 {
        let index = cursor.word &>> UInt64(bits) & (1 &<< UInt64(entry &>> 8 & 15) &- 1)
        return table[Int(entry &>> 16) &+ Int(truncatingIfNeeded: index)]
    }

    /// Takes the code of a literal off, and writes it.
    @inline(__always)
    private static func write(
        _ entry: UInt32, _ place: inout UnsafeMutablePointer<UInt8>,
        _ cursor: inout BitInput.Cursor
    ) {
        cursor.skip(entry)
        place.pointee = UInt8(truncatingIfNeeded: entry &>> 16)
        place += 1
    }

    /// Takes a code and the bits behind it off: a length or a distance.
    @inline(__always)
    private static func take(_ entry: UInt32, _ cursor: inout BitInput.Cursor) -> Int {
        let bits = cursor.word & (1 &<< UInt64(entry) &- 1)
        cursor.skip(entry)
        return Int(entry &>> 16) &+ Int(truncatingIfNeeded: bits &>> UInt64(entry &>> 8 & 15))
    }

    /// Repeats bytes, by words of eight; up to thirteen bytes more are written.
    @inline(__always)
    private static func copy(
        _ length: Int, from distance: Int, to place: UnsafeMutablePointer<UInt8>
    ) {
        var (index, distance) = (0, distance)
        if distance < 8 {
            // Once its first bytes are there, the pattern repeats at the multiples of its length.
            // For each length, a digit has the least that is a word or more: 8, 8, 9, 8, 10, 12, 14.
            let multiple = 0xECA8_9880 &>> (4 &* distance) & 15
            repeat {
                place[index] = place[index - distance]
                index &+= 1
            } while index < multiple
            distance = multiple
        }
        while index < length {
            let word = UnsafeRawPointer(place + index - distance).loadUnaligned(as: UInt64.self)
            UnsafeMutableRawPointer(place + index).storeBytes(of: word, as: UInt64.self)
            index &+= 8
        }
    }
}
