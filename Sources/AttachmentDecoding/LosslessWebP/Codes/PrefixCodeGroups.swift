/// The groups of prefix codes of one picture (RFC 9649, section 3.7.2).
struct PrefixCodeGroups {
    /// Groups in the order of their numbers.
    private(set) var groups: [PrefixCodeGroup] = []
    /// Their tables.
    let pool = PrefixCodePool()
    /// What is known of all pixels from the codes alone.
    private(set) var literals = LiteralChannels()

    /// Reads groups.
    ///
    /// - Parameters:
    ///   - source: Where to read.
    ///   - cacheBits: The size of the colour cache; 0 when there is none.
    ///   - usage: Which groups are used; those that are not are read and given up.
    /// - Throws: `corrupt`, `overCeiling`, `truncated`, `unreadable`.
    init(_ source: BitSource, cacheBits: Int, usage: GroupUsage) throws(DecodingFault) {
        let reader = CodeLengthReader(source)
        groups.reserveCapacity(usage.usedCount)
        for number in 0..<usage.count {
            let isUsed = usage.isUsed(number)
            let green = try next(
                reader, source, PrefixCodeGroup.greenAlphabet(cacheBits: cacheBits), isUsed)
            let red = try next(reader, source, PrefixCodeGroup.channelAlphabet, isUsed)
            let blue = try next(reader, source, PrefixCodeGroup.channelAlphabet, isUsed)
            let alpha = try next(reader, source, PrefixCodeGroup.channelAlphabet, isUsed)
            let distance = try next(reader, source, PrefixCodeGroup.distanceAlphabet, isUsed)
            guard isUsed else { continue }
            literals.red.add(pool.onlySymbol(of: red))
            literals.blue.add(pool.onlySymbol(of: blue))
            literals.alpha.add(pool.onlySymbol(of: alpha))
            groups.append(
                PrefixCodeGroup(
                    green: green, red: red, blue: blue, alpha: alpha, distance: distance))
        }
        pool.trim()
    }

    private func next(
        _ reader: CodeLengthReader, _ source: BitSource, _ alphabet: Int, _ isUsed: Bool
    ) throws(DecodingFault) -> PrefixCode {
        try reader.read(alphabet: alphabet)
        guard isUsed else { return PrefixCode(start: 0, width: 0) }
        guard let code = pool.add(reader.lengths) else {
            throw source.fault(.overCeiling, "its prefix codes take too much")
        }
        return code
    }
}

/// Which of the groups of prefix codes a picture uses.
struct GroupUsage {
    /// How many groups are coded.
    let count: Int
    /// How many of them are used.
    let usedCount: Int
    /// A bit for each, 64 to a word; empty when all are used.
    private let words: [UInt64]

    /// A picture with one group.
    static let single = GroupUsage(count: 1, usedCount: 1, words: [])

    private init(count: Int, usedCount: Int, words: [UInt64]) {
        (self.count, self.usedCount, self.words) = (count, usedCount, words)
    }

    /// Collects the groups that are used, and numbers them anew without gaps.
    ///
    /// - Parameter numbers: The group of every block (section 3.7.2.2); changed to the new numbers.
    init(renumbering numbers: inout [UInt16]) {
        var words = [UInt64](repeating: 0, count: 1 << 10)
        var largest = 0
        for number in numbers {
            words[Int(number >> 6)] |= 1 << UInt64(number & 63)
            largest = max(largest, Int(number))
        }
        // What number the first group of every word gets.
        var firsts: [Int] = []
        var used = 0
        for word in words {
            firsts.append(used)
            used += word.nonzeroBitCount
        }
        self.init(count: largest + 1, usedCount: used, words: words)
        guard usedCount < count else { return }
        for index in numbers.indices {
            let (word, bit) = (Int(numbers[index] >> 6), UInt64(numbers[index] & 63))
            let before = (words[word] & (1 << bit - 1)).nonzeroBitCount
            numbers[index] = UInt16(truncatingIfNeeded: firsts[word] + before)
        }
    }

    /// Whether a group is used.
    func isUsed(_ number: Int) -> Bool {
        words.isEmpty || words[number >> 6] >> UInt64(number & 63) & 1 == 1
    }
}

/// What the values of red, blue and alpha of coded pixels are known to be.
struct LiteralChannels {
    /// A channel that has the same value in all pixels, or has not.
    enum Channel {
        /// No code was seen yet.
        case unknown
        /// Every code has this value alone.
        case constant(Int)
        /// There are several values.
        case varying

        /// Takes another code into account.
        ///
        /// - Parameter value: The only value of the code; nil when it has several.
        mutating func add(_ value: Int?) {
            guard let value else { return self = .varying }
            switch self {
            case .unknown: self = .constant(value)
            case .constant(value), .varying: break
            case .constant: self = .varying
            }
        }

        /// The value; nil when there are several.
        var value: UInt32? {
            if case .constant(let value) = self { UInt32(truncatingIfNeeded: value) } else { nil }
        }
    }

    /// Red.
    var red = Channel.unknown
    /// Blue.
    var blue = Channel.unknown
    /// Alpha.
    var alpha = Channel.unknown
}
