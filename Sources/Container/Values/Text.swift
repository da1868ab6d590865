// Foundation's own functions for these link ICU into static programs, 36 MB of it.

extension StringProtocol {
    package var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }

    /// True if the text comes before another where digits compare as whole numbers.
    package func precedesNumerically(_ other: some StringProtocol) -> Bool {
        var (left, right) = (Substring(self), Substring(other))
        while let first = left.first, let second = right.first {
            let numbers = (left.leadingDigits, right.leadingDigits)
            if !numbers.0.isEmpty, !numbers.1.isEmpty {
                let (one, two) = (numbers.0.drop { $0 == "0" }, numbers.1.drop { $0 == "0" })
                if one != two { return (one.count, String(one)) < (two.count, String(two)) }
                left = left.dropFirst(numbers.0.count)
                right = right.dropFirst(numbers.1.count)
            } else {
                if first != second { return first < second }
                left.removeFirst()
                right.removeFirst()
            }
        }
        return left.count < right.count
    }
}

extension Substring {
    fileprivate var leadingDigits: Substring { prefix { ("0"..."9").contains($0) } }
}

extension Double {
    /// The number in decimals, rounded, with at most 15 digits in all.
    package func fixed(_ decimals: Int) -> String {
        guard isFinite else { return "\(self)" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (magnitude * scale).rounded()
        guard scaled < 1e15 else { return "\(self)" }
        let digits = "\(Int(scaled))"
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let sign = self < 0 && scaled > 0 ? "-" : ""
        return sign + padded.dropLast(decimals)
            + (decimals > 0 ? "." + padded.suffix(decimals) : "")
    }
}
