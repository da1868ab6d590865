extension String {
    /// Escapes characters that a terminal interprets, for output of one line.
    ///
    /// Control characters (C0, DEL, C1), line separators and bidirectional controls (Unicode
    /// Standard Annex 9, table 4) become JSON escapes. These are valid in JSON output too. File
    /// names and messages of workers may contain any of them. Sequences in `kept` stay unescaped.
    func escaped(keeping kept: [String] = []) -> String {
        guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
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
            case let scalar where scalar.isTerminalControl:
                let digits = String(scalar.value, radix: 16)
                text += #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    /// True if the scalar changes the terminal's state or the order of other characters.
    fileprivate var isTerminalControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
