/// The groups of prefix codes of one picture (RFC 9649, section 3.7.2).
///
/// The tables of groups that do not fit in memory together are made from the file again when they
/// are needed: blocks below each other take turns for as many rows as they are high.
final class PrefixCodeGroups {
    /// What the tables of one picture may take, in bytes.
    ///
    /// Those of photographs of 48 megapixels take 220 KB in 71 groups, and those of a mosaic that
    /// was made to need many 1.4 MB in 424 (cwebp 1.2.4), of which 63 take turns.
    static let mostBytes = 384 << 10
    /// Groups whose tables are kept at most, however small they are.
    private static let mostKept = 1 << 10
    /// What a source for reading codes again holds at once, in bytes: more than a group takes.
    private static let rereadBytes = 1 << 10

    /// What is known of all pixels from the codes alone.
    private(set) var literals = LiteralChannels()
    /// Room for the tables of many groups, and of one more.
    let pool: PrefixCodePool
    private var records: [Record] = []
    private let cacheBits: Int
    /// Where the first group stands, in bits from the start of the file.
    private let firstBit: Int
    private let reread: BitSource
    private let reader: CodeLengthReader
    /// The group whose tables lie behind those that are kept.
    private var guest: (number: Int, codes: PrefixCodeGroup)?
    private var kept: [PrefixCodeGroup] = []
    /// The row of blocks in which all tables were given up last.
    private var clearedRow = -1

    /// What is known of a group.
    private struct Record {
        /// Where it stands, in bits behind the first.
        var bit: UInt32
        /// Its index among those that are kept; none when it is negative.
        var index: Int32
    }

    /// Reads groups.
    ///
    /// - Parameters:
    ///   - source: Where to read.
    ///   - cacheBits: The size of the colour cache; 0 when there is none.
    ///   - usage: Which groups are used; those that are not are read and given up.
    /// - Throws: `corrupt`, `overCeiling`, `truncated`, `unreadable`.
    init(_ source: BitSource, cacheBits: Int, usage: GroupUsage) throws(DecodingFault) {
        self.cacheBits = cacheBits
        let most = Self.mostBytes / MemoryLayout<UInt16>.stride
        pool = PrefixCodePool(
            capacity: min(most, usage.usedCount * PrefixCodePool.groupEntries)
                + PrefixCodePool.groupEntries)
        firstBit = source.bitOffset
        reread = source.again(capacity: Self.rereadBytes)
        reader = CodeLengthReader()
        records.reserveCapacity(usage.usedCount)
        kept.reserveCapacity(min(usage.usedCount, Self.mostKept))
        for number in 0..<usage.count {
            let bit = UInt32(truncatingIfNeeded: source.bitOffset - firstBit)
            let before = pool.count
            let codes = try readGroup(source)
            guard usage.isUsed(number) else {
                pool.count = before
                continue
            }
            literals.add(codes, pool)
            records.append(Record(bit: bit, index: -1))
            keep(codes, number: records.count - 1, from: before)
        }
        // Unused groups may have been written over its tables.
        guest = nil
    }

    /// The codes of a group.
    ///
    /// - Parameters:
    ///   - number: The group, of those that are used.
    ///   - row: The row of blocks that is being decoded.
    /// - Returns: The codes, whose tables are in the pool until the next call.
    /// - Throws: What reading the group again throws.
    @inline(__always)
    func codes(of number: Int, row: Int) throws(DecodingFault) -> PrefixCodeGroup {
        let index = Int(records[number].index)
        if _fastPath(index >= 0) { return kept[index] }
        return try codesAgain(of: number, row)
    }

    @inline(never)
    private func codesAgain(of number: Int, _ row: Int) throws(DecodingFault) -> PrefixCodeGroup {
        if let guest, guest.number == number { return guest.codes }
        let isFull =
            pool.room < 2 * PrefixCodePool.groupEntries || kept.count == Self.mostKept
        if isFull, row != clearedRow {
            // Once in a row of blocks: where more take turns than fit, some of them stay.
            clearedRow = row
            for index in records.indices { records[index].index = -1 }
            kept.removeAll(keepingCapacity: true)
            pool.count = 0
        }
        let before = pool.count
        try reread.seek(toBit: firstBit + Int(records[number].bit))
        let codes = try readGroup(reread)
        keep(codes, number: number, from: before)
        return codes
    }

    /// Keeps the tables that were made last, where there is room for those of another group too.
    private func keep(_ codes: PrefixCodeGroup, number: Int, from start: Int) {
        guard pool.room >= PrefixCodePool.groupEntries, kept.count < Self.mostKept else {
            pool.count = start
            guest = (number, codes)
            return
        }
        guest = nil
        records[number].index = Int32(truncatingIfNeeded: kept.count)
        kept.append(codes)
    }

    private func readGroup(_ source: BitSource) throws(DecodingFault) -> PrefixCodeGroup {
        PrefixCodeGroup(
            green: try readCode(source, PrefixCodeGroup.greenAlphabet(cacheBits: cacheBits)),
            red: try readCode(source, PrefixCodeGroup.channelAlphabet),
            blue: try readCode(source, PrefixCodeGroup.channelAlphabet),
            alpha: try readCode(source, PrefixCodeGroup.channelAlphabet),
            distance: try readCode(source, PrefixCodeGroup.distanceAlphabet))
    }

    private func readCode(
        _ source: BitSource, _ alphabet: Int
    ) throws(DecodingFault) -> PrefixTable {
        try reader.read(from: source, alphabet: alphabet)
        guard let code = pool.add(reader.lengths) else {
            throw source.fault(.overCeiling, "its prefix codes take too much")
        }
        return code
    }
}
