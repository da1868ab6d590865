import Randomness

/// Generates random JSON with details that a careless writer would lose: needless escapes, odd
/// numbers, duplicate keys, white space everywhere.
struct RandomJSON {
    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// A random document, at most six levels deep.
    mutating func document() -> String { space() + object(depth: 5) + space() }

    /// A random value, spelled.
    mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 7), using: &random) {
        case 0: "null"
        case 1: Bool.random(using: &random) ? "true" : "false"
        case 2, 3: number()
        case 4, 5, 6: string()
        case 7: array(depth: depth - 1)
        default: object(depth: depth - 1)
        }
    }

    private mutating func object(depth: Int) -> String {
        var text = "{" + space()
        for index in 0..<Int.random(in: 0...5, using: &random) {
            if index > 0 { text += "," + space() }
            text += string() + space() + ":" + space() + value(depth: depth) + space()
        }
        return text + "}"
    }

    private mutating func array(depth: Int) -> String {
        var text = "[" + space()
        for index in 0..<Int.random(in: 0...5, using: &random) {
            if index > 0 { text += "," + space() }
            text += value(depth: depth) + space()
        }
        return text + "]"
    }

    private mutating func number() -> String {
        let numbers = [
            "0", "-0", "1", "1.0", "1e3", "1E+3", "-1.50e-07", "12345678901234567890", "0.1000",
            "18446744073709551616", "1e400", "-2.2250738585072014e-308", "9007199254740993",
        ]
        return numbers.randomElement(using: &random) ?? "7"
    }

    private mutating func string() -> String {
        let pieces = [
            "a", "b", "key", "aps", "", "é", "e\u{301}", "🙂", #"\u0061"#, #"\ud83d\ude42"#, #"\/"#,
            "/", #"\""#, #"\\"#, #"\n"#, #"\u0000"#, #"\u000A"#, "\u{7F}", "\u{2028}", "\u{10FFFF}",
            " ", ".", "[0]",
        ]
        var text = "\""
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            text += pieces.randomElement(using: &random) ?? ""
        }
        return text + "\""
    }

    private mutating func space() -> String {
        ["", "", "", " ", "\n  ", "\t", "\r\n"].randomElement(using: &random) ?? ""
    }
}
