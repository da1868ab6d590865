/// An existing identifier that is similar to the one requested.
public struct NearMiss: Sendable, Hashable {
    /// The existing identifier.
    public let identifier: String
    /// The difference from the requested identifier.
    public let difference: Difference

    /// The difference between two identifiers, smallest first.
    public enum Difference: Sendable, Hashable {
        /// Upper and lower case.
        case letterCase
        /// Spaces, line endings and invisible characters.
        case whitespace
        /// Unicode encoding, such as an accent as one scalar or as two.
        case spelling
        /// Separators between words, such as `-` and `_`.
        case separators
        /// Characters inserted, deleted, replaced or transposed, by their number.
        case characters(Int)
    }

    /// Maximum number of names from a file to compare with one; each takes up to 50 µs.
    package static let candidateLimit = 1000

    /// Finds the most similar identifier.
    ///
    /// - Parameters:
    ///   - identifier: The requested identifier.
    ///   - candidates: The existing identifiers.
    /// - Returns: The candidate with the smallest difference, the first of several; nil if all differ in
    ///   more than two characters, or in more than a third of them.
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

extension NearMiss {
    /// The remedy for a name that does not exist: the nearest name, and all of them.
    ///
    /// - Parameters:
    ///   - name: The name that does not exist.
    ///   - names: The names that exist.
    /// - Returns: One or two sentences without a full stop at the end.
    public static func remedy(for name: String, among names: [String]) -> String {
        let all = "the names are \(names.joined(separator: ", "))"
        return nearest(to: name, among: names).map { "did you mean \($0.identifier)? \(all)" }
            ?? all
    }
}

extension NearMiss {
    /// A question that offers the nearest name.
    ///
    /// - Parameters:
    ///   - name: The name that does not exist.
    ///   - names: The names that exist.
    /// - Returns: One sentence; nil if no name is near.
    package static func question(for name: String, among names: [String]) -> String? {
        nearest(to: name, among: names).map { "Did you mean \($0.identifier)?" }
    }
}

extension NearMiss: CustomStringConvertible {
    /// The identifier and the difference.
    public var description: String { "\(identifier.quoted) differs \(difference)" }
}

extension NearMiss? {
    /// The description after a semicolon; empty for nil.
    package var suffix: String { map { "; \($0)" } ?? "" }
}

extension NearMiss.Difference: CustomStringConvertible {
    /// The difference, as a phrase after the word “differs”.
    public var description: String {
        switch self {
        case .letterCase: "only in upper and lower case"
        case .whitespace: "only in spaces or invisible characters"
        case .spelling: "only in the encoding of its accents"
        case .separators: "only in the separators between its words"
        case .characters(1): "in one character"
        case .characters(let count): "in \(count) characters"
        }
    }
}

extension NearMiss.Difference {
    /// Classifies the difference of two identifiers; nil if they are identical or too different.
    init?(of left: String, and right: String) {
        guard !left.isIdentical(to: right) else { return nil }
        if left == right {
            // `==` is canonical equivalence (Unicode Standard Annex #15).
            self = .spelling
        } else if left.lowercased() == right.lowercased() {
            self = .letterCase
        } else if left.visibleCharacters == right.visibleCharacters {
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
    /// Compares all bytes, unlike `==`.
    package func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// The string in quotation marks, with invisible characters as `\u{…}`, and cut at 100 characters.
    package var quoted: String {
        let isTruncated = unicodeScalars.dropFirst(100).first != nil
        return "“\(String(unicodeScalars.prefix(100)).printable)\(isTruncated ? "…" : "")”"
    }

    /// The string with invisible characters, except spaces, as `\u{…}`; safe for a terminal.
    package var printable: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            text +=
                scalar.isVisible || scalar == " " ? String(scalar) : scalar.escaped(asASCII: true)
        }
    }

    fileprivate var visibleCharacters: String {
        String(String.UnicodeScalarView(unicodeScalars.filter(\.isVisible)))
    }

    fileprivate var words: String { lowercased().filter { $0.isLetter || $0.isNumber } }

    /// Number of characters inserted, deleted, replaced or transposed; nil if over the limit, or if a
    /// string exceeds 100 characters.
    ///
    /// Optimal string alignment (Boytsov 2011, section 2.2), with only the rows that it needs.
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
    /// False for spaces, controls and format characters.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
            .unassigned, .privateUse:
            false
        default: true
        }
    }
}
