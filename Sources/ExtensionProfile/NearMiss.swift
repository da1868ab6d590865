/// An identifier that is not the one looked for, and was perhaps meant.
public struct NearMiss: Sendable, Hashable {
    /// The identifier that there is.
    public let identifier: String
    /// In what it differs from the one looked for.
    public let difference: Difference

    /// In what two identifiers differ, the slightest first.
    public enum Difference: Sendable, Hashable {
        /// Only in upper and lower case.
        case letterCase
        /// Only in spaces, line ends and characters without a shape.
        case whitespace
        /// Only in how characters are written down: the same accent as one scalar or as two.
        case spelling
        /// Only in the signs between words, such as `-` for `_`.
        case separators
        /// In so many characters, added, left out, changed, or exchanged with their neighbour.
        case characters(Int)
    }

    /// Finds the identifier that is nearest to one that is not there.
    ///
    /// - Parameters:
    ///   - identifier: What was looked for.
    ///   - candidates: What there is.
    /// - Returns: The one with the slightest difference, the first of several; nil when all are
    ///   something else altogether: more than two characters differ, or more than a third of them.
    public static func nearest(
        to identifier: String, among candidates: some Sequence<String>
    ) -> NearMiss? {
        candidates.compactMap { candidate in
            Difference(of: identifier, and: candidate).map {
                NearMiss(identifier: candidate, difference: $0)
            }
        }.min { $0.difference.rank < $1.difference.rank }
    }
}

extension NearMiss: CustomStringConvertible {
    /// The identifier that there is, and the difference.
    public var description: String { "\(identifier.quoted) differs \(difference)" }
}

extension NearMiss.Difference: CustomStringConvertible {
    /// The difference, as it follows the word “differs”.
    public var description: String {
        switch self {
        case .letterCase: "only in upper and lower case"
        case .whitespace: "only in spaces or characters that are not seen"
        case .spelling: "only in how its accents are encoded"
        case .separators: "only in the signs between its words"
        case .characters(1): "in one character"
        case .characters(let count): "in \(count) characters"
        }
    }
}

extension NearMiss.Difference {
    /// Names the difference of two identifiers; nil when they are the same or quite different.
    init?(of left: String, and right: String) {
        guard !left.isIdentical(to: right) else { return nil }
        if left == right {
            // Swift's own equality is canonical equivalence (Unicode Standard Annex #15).
            self = .spelling
        } else if left.lowercased() == right.lowercased() {
            self = .letterCase
        } else if left.visible == right.visible {
            self = .whitespace
        } else if left.words == right.words {
            self = .separators
        } else {
            guard let distance = left.editDistance(to: right, upTo: 2),
                3 * distance <= max(left.count, right.count)
            else { return nil }
            self = .characters(distance)
        }
    }

    fileprivate var rank: Int {
        switch self {
        case .spelling: 0
        case .letterCase: 1
        case .whitespace: 2
        case .separators: 3
        case .characters(let count): 3 + count
        }
    }
}

extension String {
    /// Whether every byte is the same, which `==` does not ask for.
    package func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The text between quotation marks, with what cannot be seen written as `\u{…}`, and cut where
    /// no identifier is as long.
    package var quoted: String {
        let isCut = unicodeScalars.dropFirst(100).first != nil
        return "“\(String(unicodeScalars.prefix(100)).printable)\(isCut ? "…" : "")”"
    }

    /// The text with what cannot be seen, but for spaces, written as `\u{…}`, so that it does no
    /// harm to a terminal.
    package var printable: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            text += scalar.isSeen || scalar == " " ? String(scalar) : scalar.escaped(asASCII: true)
        }
    }

    /// Without what is not seen.
    fileprivate var visible: String {
        String(String.UnicodeScalarView(unicodeScalars.filter(\.isSeen)))
    }

    /// The letters and digits alone, in lower case.
    fileprivate var words: String { lowercased().filter { $0.isLetter || $0.isNumber } }

    /// The number of characters added, left out, changed or exchanged with their neighbour.
    ///
    /// Optimal string alignment (Boytsov 2011, section 2.2), with the rows that it looks back to.
    ///
    /// - Parameters:
    ///   - other: The other text.
    ///   - limit: The most that is of interest.
    /// - Returns: Nil when there are more, or the texts are longer than 100 characters.
    fileprivate func editDistance(to other: String, upTo limit: Int) -> Int? {
        let left = Array(self.prefix(101))
        let right = Array(other.prefix(101))
        guard left.count <= 100, right.count <= 100, abs(left.count - right.count) <= limit else {
            return nil
        }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = Swift.min(
                    last[column] + (character == other ? 0 : 1), last[column + 1] + 1,
                    next[column] + 1)
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    cost = Swift.min(cost, beforeLast[column - 1] + 1)
                }
                next.append(cost)
            }
            (beforeLast, last) = (last, next)
        }
        return last[right.count] <= limit ? last[right.count] : nil
    }
}

extension Unicode.Scalar {
    /// Whether it has a shape: spaces, controls and format characters have none.
    fileprivate var isSeen: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
            .unassigned, .privateUse:
            false
        default: true
        }
    }
}
