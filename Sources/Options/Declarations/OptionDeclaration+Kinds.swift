public import AttachmentContainer
import NotificationProfile

/// Kinds of values.
extension OptionDeclaration {
    /// A text; `range` says which texts are meant.
    public static func text(
        _ name: String, _ flag: any Flag, _ field: any Field<String>, _ range: String,
        _ summary: String, valueName: String
    ) -> Self {
        Self(name, flag, field, range, summary, valueName: valueName) { $0 }
    }

    /// A path of a file or a folder; empty for none.
    public static func path(
        _ name: String, _ flag: any Flag, _ field: any Field<String>, _ range: String,
        _ summary: String, isFolder: Bool = false
    ) -> Self {
        var option = text(
            name, flag, field, range, summary, valueName: isFolder ? "folder" : "file")
        option.completion = isFolder ? .folder : .file
        return option
    }

    /// A list: an option that may be repeated, or one text with separators.
    ///
    /// `element` reads one of the values; nil for an invalid text.
    public static func list<Element: Sendable>(
        _ name: String, _ flag: any KeyPath<Flags, [String]> & Sendable,
        _ field: any Field<[Element]>, separator: Character = ",", _ range: String,
        _ summary: String, valueName: String, element: @escaping @Sendable (String) -> Element?
    ) -> Self {
        .list(
            name, flag, field, separator: separator, range, summary, valueName: valueName,
            parse: { text in
                let parts = parts(of: text, separator)
                let elements = parts.compactMap(element)
                return elements.count == parts.count ? elements : nil
            },
            show: { $0.map { "\($0)" }.joined(separator: String(separator)) })
    }

    /// Several values that are parsed together, from one text with separators.
    public static func list<Value: Sendable>(
        _ name: String, _ flag: any KeyPath<Flags, [String]> & Sendable, _ field: any Field<Value>,
        separator: Character = ",", _ range: String, _ summary: String, valueName: String,
        parse: @escaping @Sendable (String) -> Value?,
        show: @escaping @Sendable (Value) -> String = { "\($0)" }
    ) -> Self {
        var option = Self(
            name,
            { flags in
                let texts = flags[keyPath: flag]
                return texts.isEmpty ? nil : joined(texts, separator)
            }, field, "\(range), separated by \(separator == ":" ? "colons" : "commas")", summary,
            valueName: valueName, parse: parse, show: show)
        option.joined = { joined($0, separator) }
        return option
    }

    /// Several values as one text.
    ///
    /// A path may contain the colon that separates paths in the environment, but no NUL.
    private static func joined(_ texts: [String], _ separator: Character) -> String {
        separator == ":"
            ? texts.map { $0 + "\0" }.joined() : texts.joined(separator: String(separator))
    }

    private static func parts(of text: String, _ separator: Character) -> [String] {
        text.utf8.contains(0)
            ? text.split(separator: "\0").map(String.init)
            : text.split(separator: separator).map { String($0.trimmingPrefix(" ")) }
    }

    /// A whole number.
    public static func count(
        _ name: String, _ flag: any Flag, _ field: any Field<Int>, _ range: ClosedRange<Int>,
        _ summary: String, valueName: String = "number"
    ) -> Self {
        Self(
            name, flag, field, "from \(range.lowerBound) to \(range.upperBound)", summary,
            valueName: valueName
        ) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// A number with a unit.
    public static func number(
        _ name: String, _ flag: any Flag, _ field: any Field<Double>, _ range: ClosedRange<Double>,
        unit: String, _ summary: String
    ) -> Self {
        Self(
            name, flag, field,
            "from \(range.lowerBound.text) to \(range.upperBound.text)"
                + (unit == "ratio" ? "" : " \(unit)"),
            summary, valueName: unit,
            parse: { Double($0).flatMap { range.contains($0) ? $0 : nil } }, show: \.text)
    }

    /// A limit, or `none`, which sets the field to nil.
    public static func limit<Value: Comparable & Sendable>(
        _ name: String, _ flag: any Flag, _ field: any Field<Value?>, _ range: ClosedRange<Value>,
        _ summary: String, valueName: String, parse: @escaping @Sendable (String) -> Value?,
        show: @escaping @Sendable (Value) -> String
    ) -> Self {
        Self(
            name, flag, field,
            "none, or from \(show(range.lowerBound)) to \(show(range.upperBound))", summary,
            valueName: valueName,
            parse: { text -> Value?? in
                if text == "none" { return .some(nil) }
                return parse(text).flatMap { range.contains($0) ? .some($0) : nil }
            }, show: { $0.map(show) ?? "none" })
    }

    /// A number of bytes with a unit, such as 64MB.
    public static func bytes(
        _ name: String, _ flag: any Flag, _ field: any Field<ByteCount>,
        _ range: ClosedRange<ByteCount>, _ summary: String
    ) -> Self {
        Self(
            name, flag, field,
            "from \(range.lowerBound.exact) to \(range.upperBound.exact), such as 64MB", summary,
            valueName: "bytes",
            parse: { ByteCount(parsing: $0).flatMap { range.contains($0) ? $0 : nil } },
            show: \.exact)
    }

    /// One of several names.
    public static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ flag: any Flag, _ field: any Field<Value>, _ summary: String
    ) -> Self where Value.RawValue == String {
        let names = Value.allCases.map(\.rawValue)
        var option = Self(
            name, flag, field, "one of \(names.joined(separator: ", "))", summary,
            valueName: names.joined(separator: "|"), parse: { Value(rawValue: $0) },
            show: \.rawValue)
        option.completion = .values(names)
        option.hint = { NearMiss.question(for: $0, among: names) }
        return option
    }

    /// Yes or no: `--name` and `--no-name` on the command line.
    public static func answer(
        _ name: String, _ flag: any KeyPath<Flags, Bool?> & Sendable, _ field: any Field<Bool>,
        _ summary: String
    ) -> Self {
        .answer(
            name, flag, field, "yes or no", summary, parse: { Bool(answer: $0) }, show: \.answer)
    }

    /// Same, with `auto` as a third text, which sets the field to nil.
    public static func answer(
        _ name: String, _ flag: any KeyPath<Flags, Bool?> & Sendable, _ field: any Field<Bool?>,
        _ summary: String
    ) -> Self {
        .answer(
            name, flag, field, "yes, no or auto", summary,
            parse: { text -> Bool?? in
                text == "auto" ? .some(nil) : Bool(answer: text).map(Optional.some)
            }, show: { $0?.answer ?? "auto" })
    }

    private static func answer<Value: Sendable>(
        _ name: String, _ flag: any KeyPath<Flags, Bool?> & Sendable, _ field: any Field<Value>,
        _ range: String, _ summary: String, parse: @escaping @Sendable (String) -> Value?,
        show: @escaping @Sendable (Value) -> String
    ) -> Self {
        var option = Self(
            name, { $0[keyPath: flag]?.answer }, field, range, summary, valueName: "yes|no",
            parse: parse, show: show)
        option.isAnswer = true
        return option
    }
}

extension Bool {
    /// Reads an answer of the environment or of a file.
    init?(answer text: String) {
        switch text {
        case "yes", "on", "true", "1": self = true
        case "no", "off", "false", "0": self = false
        default: return nil
        }
    }

    fileprivate var answer: String { self ? "yes" : "no" }
}

extension Double {
    /// Without a needless fraction.
    public var text: String {
        self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)"
    }
}

extension ByteCount {
    /// The count without loss, in the largest unit that divides it.
    public var exact: String {
        let unit = Self.units.first { bytes > 0 && bytes % $0.bytes == 0 }
        return unit.map { "\(bytes / $0.bytes)\($0.name)" } ?? "\(bytes)"
    }

    /// A loop over a literal would be unrolled, in an order that differs from build to build.
    private static let units: [(name: String, bytes: Int)] = [
        ("GiB", 1 << 30), ("MiB", 1 << 20), ("GB", 1_000_000_000), ("MB", 1_000_000),
        ("KiB", 1 << 10), ("kB", 1000),
    ]
}
