/// Contiguous storage for decoding tables, which are only as wide as their codes need.
final class PrefixCodePool {
    /// Limit on the entries of one group, for 8-bit first levels and 15-bit codes.
    ///
    /// Green takes 2,704 with an 11-bit colour cache, each channel 630, distances 410 (libwebp's
    /// `kTableSize`, counted by zlib's `enough`).
    static let groupEntries = 2704 + 3 * 630 + 410

    /// The entries; never reallocated.
    let entries: UnsafeMutablePointer<UInt16>
    private let capacity: Int
    var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
    }

    deinit { entries.deallocate() }

    var room: Int { capacity - count }

    private func grow(by more: Int) -> Int? {
        guard more <= room else { return nil }
        let start = count
        count += more
        (entries + start).initialize(repeating: 0, count: more)
        return start
    }

    func onlySymbol(of code: PrefixTable) -> Int? {
        code.isSingle ? Int(entries[code.start] >> 4) : nil
    }

    func add(_ lengths: CodeLengths) -> PrefixTable? {
        if let symbol = lengths.onlySymbol {
            guard let start = grow(by: 1) else { return nil }
            entries[start] = UInt16(truncatingIfNeeded: symbol << 4)
            return PrefixTable(start: start, width: 0)
        }
        let width = min(lengths.longest, PrefixTable.rootBits)
        guard let start = grow(by: 1 << width) else { return nil }
        guard fill(lengths, start, width) else { return nil }
        return PrefixTable(start: start, width: width)
    }

    /// Writes each code, in canonical order, to every index that starts with it.
    private func fill(_ lengths: CodeLengths, _ start: Int, _ width: Int) -> Bool {
        var remaining = lengths.counts
        var code = 0
        // The second level being filled.
        var level = (start: 0, width: 0, prefix: -1)
        for index in 0..<lengths.sortedCount {
            let symbol = lengths.sorted(index)
            let length = lengths.length(of: symbol)
            let entry = UInt16(truncatingIfNeeded: symbol << 4 | length)
            let reversed = Self.reversed(code, length)
            if length <= width {
                repeatEntry(
                    entry, at: start + reversed, every: 1 << length, upTo: start + 1 << width)
            } else {
                let prefix = reversed & (1 << width - 1)
                if prefix != level.prefix {
                    let depth = Self.depth(from: length, remaining, root: width)
                    guard let position = grow(by: 1 << depth) else { return false }
                    level = (position, depth, prefix)
                    entries[start + prefix] =
                        UInt16(truncatingIfNeeded: (position - start) << 4 | (width + depth))
                }
                repeatEntry(
                    entry, at: level.start + reversed >> width, every: 1 << (length - width),
                    upTo: level.start + 1 << level.width)
            }
            remaining[length] -= 1
            // Extends the code with zeros to the next length.
            code += 1
            if index + 1 < lengths.sortedCount {
                code <<= lengths.length(of: lengths.sorted(index + 1)) - length
            }
        }
        return true
    }

    @inline(__always)
    private func repeatEntry(_ entry: UInt16, at first: Int, every step: Int, upTo end: Int) {
        for position in stride(from: first, to: end, by: step) { entries[position] = entry }
    }

    /// Width of a second level that holds all codes with the same prefix.
    private static func depth(from length: Int, _ remaining: [Int], root: Int) -> Int {
        var length = length
        var left = 1 << (length - root)
        while length < PrefixTable.longestLength {
            left -= remaining[length]
            if left <= 0 { break }
            length += 1
            left <<= 1
        }
        return length - root
    }

    private static func reversed(_ code: Int, _ length: Int) -> Int {
        Int(UInt16(truncatingIfNeeded: code).bitReversed >> UInt16(16 - length))
    }
}

extension UInt16 {
    fileprivate var bitReversed: UInt16 {
        var value = self
        value = value >> 1 & 0x5555 | (value & 0x5555) << 1
        value = value >> 2 & 0x3333 | (value & 0x3333) << 2
        value = value >> 4 & 0x0F0F | (value & 0x0F0F) << 4
        return value.byteSwapped
    }
}
