/// Prefix-code groups of one image (RFC 9649, section 3.7.2), some rebuilt from the file when
/// needed.
final class PrefixCodeGroups {
    /// Limit on the tables of one image, in bytes.
    ///
    /// Photographs of 48 megapixels need 220 KB; a mosaic built for many groups takes 1.4 MB.
    static let maxBytes = 384 << 10
    private static let maxKeptGroups = 1 << 10
    /// Buffer of the source that rereads codes, in bytes; larger than one group.
    private static let rereadBytes = 1 << 10

    private(set) var literals = LiteralChannels()
    let pool: PrefixCodePool
    private var records: [Record] = []
    private let cacheBits: Int
    private let firstBit: Int
    private let reread: BitSource
    private let reader: CodeLengthReader
    /// Group rebuilt last; its tables follow the kept groups' tables.
    private var transient: (number: Int, codes: PrefixCodeGroup)?
    private var kept: [PrefixCodeGroup] = []
    private var clearedRow = -1

    private struct Record {
        var bit: UInt32
        /// Index of a kept group's tables; negative if not kept.
        var index: Int32
    }

    /// Keeps only used groups; a `cacheBits` of 0 means no colour cache.
    init(_ source: BitSource, cacheBits: Int, usage: GroupUsage) throws(DecodingFault) {
        self.cacheBits = cacheBits
        let most = Self.maxBytes / MemoryLayout<UInt16>.stride
        pool = PrefixCodePool(
            capacity: min(most, usage.usedCount * PrefixCodePool.groupEntries)
                + PrefixCodePool.groupEntries)
        firstBit = source.bitOffset
        reread = source.restarted(capacity: Self.rereadBytes)
        reader = CodeLengthReader()
        records.reserveCapacity(usage.usedCount)
        kept.reserveCapacity(min(usage.usedCount, Self.maxKeptGroups))
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
        // Unused groups may have overwritten its tables.
        transient = nil
    }

    /// Returns the codes of a used group for a row of blocks, valid until the next call.
    @inline(__always)
    func codes(of number: Int, row: Int) throws(DecodingFault) -> PrefixCodeGroup {
        let index = Int(records[number].index)
        if _fastPath(index >= 0) { return kept[index] }
        return try reloadCodes(of: number, row)
    }

    @inline(never)
    private func reloadCodes(of number: Int, _ row: Int) throws(DecodingFault) -> PrefixCodeGroup {
        if let transient, transient.number == number { return transient.codes }
        let isFull = pool.room < 2 * PrefixCodePool.groupEntries || kept.count == Self.maxKeptGroups
        if isFull, row != clearedRow {
            // Evict once per row of blocks, so that some groups stay even if not all fit.
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

    private func keep(_ codes: PrefixCodeGroup, number: Int, from start: Int) {
        guard pool.room >= PrefixCodePool.groupEntries, kept.count < Self.maxKeptGroups else {
            pool.count = start
            transient = (number, codes)
            return
        }
        transient = nil
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
            throw source.fault(.limit, "its prefix codes need too much memory")
        }
        return code
    }
}
