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
