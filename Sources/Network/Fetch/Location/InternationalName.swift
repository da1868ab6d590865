import Foundation

/// The ASCII form of a host's name in another script, as browsers spell it.
///
/// Names are mapped as in Unicode Technical Standard 46 without transitional processing: letters with
/// marks are composed, letters are lowercase and not full-width, and ideographic full stops separate
/// labels. Only
/// letters, marks, digits and symbols are accepted, so that no mapped name has a separator of URLs.
enum InternationalName {
    /// Full stops that separate labels (UTS 46, section 4.5; RFC 3490, section 3.1).
    private static let fullStops: Set<Unicode.Scalar> = ["\u{3002}", "\u{FF0E}", "\u{FF61}"]
    /// The longest label, in bytes (RFC 1035, section 2.3.4).
    private static let longestLabel = 63

    /// The name in lowercase ASCII; nil if a label is not valid in a name.
    static func ascii(_ host: String) -> String? {
        let separated = String(
            String.UnicodeScalarView(host.unicodeScalars.map { fullStops.contains($0) ? "." : $0 }))
        let mapped = separated.lowercased().map(composed).joined()
        var labels: [String] = []
        for label in mapped.split(separator: ".", omittingEmptySubsequences: false) {
            guard let ascii = asciiLabel(label.unicodeScalars) else { return nil }
            labels.append(ascii)
        }
        return labels.joined(separator: ".")
    }

    /// The letter without marks beside it, and not full-width, where Unicode has such a letter.
    ///
    /// Characters are equal if they are canonically equivalent. Foundation's normalisation would link
    /// ICU, which is 40 MB.
    private static func composed(_ character: Character) -> String {
        let scalars = character.unicodeScalars
        guard scalars.count == 1, let scalar = scalars.first else {
            let letter = precomposed.lazy.joined().compactMap(Unicode.Scalar.init).first {
                Character($0) == character
            }
            return letter.map { String(Character($0)) } ?? String(character)
        }
        guard (0xFF01...0xFF5E).contains(scalar.value),
            let narrow = Unicode.Scalar(scalar.value - 0xFEE0)
        else { return String(character) }
        return String(Character(narrow))
    }

    /// Latin, Greek and Cyrillic letters with marks.
    private static let precomposed: [ClosedRange<UInt32>] = [
        0xC0...0x24F, 0x370...0x4FF, 0x1E00...0x1FFF,
    ]

    private static func asciiLabel(_ label: Substring.UnicodeScalarView) -> String? {
        guard !label.allSatisfy(\.isASCII) else { return String(Substring(label)) }
        // A label that is encoded twice has no meaning (RFC 5891, section 4.2.3.1).
        guard let first = label.first, !isMark(first), label.allSatisfy(isAllowed),
            !Substring(label).hasPrefix("xn--"), let encoded = Punycode.encoded(Array(label)),
            encoded.utf8.count + 4 <= longestLabel
        else { return nil }
        return "xn--" + encoded
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar == "-" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        }
        // The middle dots of Catalan and Japanese names (RFC 5892, appendix A).
        if scalar == "\u{B7}" || scalar == "\u{30FB}" { return true }
        return switch scalar.properties.generalCategory {
        case .lowercaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
            .decimalNumber, .otherSymbol:
            !scalar.properties.isDefaultIgnorableCodePoint
        default: false
        }
    }
}

/// The encoding of labels (RFC 3492).
private enum Punycode {
    // RFC 3492, section 5.
    private static let (base, lowest, highest, skew, damp) = (36, 1, 26, 38, 700)
    private static let (firstBias, firstCode) = (72, 0x80)
    private static let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789".utf8)

    /// Encodes a label; nil for one so long that numbers would overflow.
    static func encoded(_ label: [Unicode.Scalar]) -> String? {
        // Far over the limit of a label, and far below overflow.
        guard label.count <= 253 else { return nil }
        var output = label.filter(\.isASCII).map { UInt8($0.value) }
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var (code, delta, bias, handled) = (firstCode, 0, firstBias, basic)
        while handled < label.count {
            let next = label.lazy.map { Int($0.value) }.filter { $0 >= code }.min() ?? code
            delta += (next - code) * (handled + 1)
            code = next
            for scalar in label {
                if scalar.value < code { delta += 1 }
                guard scalar.value == code else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends a number of variable length (section 3.3).
    private static func append(_ delta: Int, _ bias: Int, to output: inout [UInt8]) {
        var (rest, place) = (delta, base)
        while true {
            let threshold = min(max(place - bias, lowest), highest)
            guard rest >= threshold else { break }
            output.append(digits[threshold + (rest - threshold) % (base - threshold)])
            rest = (rest - threshold) / (base - threshold)
            place += base
        }
        output.append(digits[rest])
    }

    /// The bias for the next number (section 3.4).
    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damp : delta / 2
        delta += delta / count
        var place = 0
        while delta > (base - lowest) * highest / 2 {
            delta /= base - lowest
            place += base
        }
        return place + (base - lowest + 1) * delta / (delta + skew)
    }
}
