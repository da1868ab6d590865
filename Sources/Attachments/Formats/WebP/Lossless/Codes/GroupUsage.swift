struct GroupUsage {
    let count: Int
    let usedCount: Int
    /// One bit per group, 64 to a word; empty if all groups are used.
    private let words: [UInt64]

    static let single = GroupUsage(count: 1, usedCount: 1, words: [])

    func isUsed(_ number: Int) -> Bool {
        words.isEmpty || words[number >> 6] >> UInt64(number & 63) & 1 == 1
    }
}

extension GroupUsage {
    /// Collects the used groups and renumbers them without gaps.
    init(renumbering numbers: inout [UInt16]) {
        var words = [UInt64](repeating: 0, count: 1 << 10)
        var largest = 0
        for number in numbers {
            words[Int(number >> 6)] |= 1 << UInt64(number & 63)
            largest = max(largest, Int(number))
        }
        // New number of each word's first group.
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
}
