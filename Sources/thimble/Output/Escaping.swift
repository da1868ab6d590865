extension String {
    /// The text without characters that a terminal obeys, for output of one line.
    ///
    /// Control characters (C0, DEL, C1), line separators and the controls of bidirectional text
    /// (Unicode Standard Annex 9, table 4) become JSON escapes, which are harmless in JSON too. File
    /// names and the words of a worker may contain any of them.
    ///
    /// - Parameter kept: Sequences of our own that stay. The default is none.
    /// - Returns: The text.
    func escaped(keeping kept: [String] = []) -> String {
        guard unicodeScalars.contains(where: \.isObeyed) else { return self }
        if let sequence = kept.first {
            return split(separator: sequence, omittingEmptySubsequences: false)
                .map { String($0).escaped(keeping: Array(kept.dropFirst())) }
                .joined(separator: sequence)
        }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += #"\n"#
            case "\r": text += #"\r"#
            case "\t": text += #"\t"#
            case let scalar where scalar.isObeyed:
                let digits = String(scalar.value, radix: 16)
                text += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// Whether a terminal changes its state, or the order of other characters, for this one.
    fileprivate var isObeyed: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
