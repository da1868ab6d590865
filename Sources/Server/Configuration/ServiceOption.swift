import ArgumentParser
import AttachmentContainer

/// One option: its name, its range, and access to its field.
package struct ServiceOption: Sendable {
    package let name: String
    let help: ArgumentHelp
    /// The valid values, as in "must be …".
    package let range: String
    /// Joins the elements of an array in the file.
    var separator = ":"
    /// The value of the command line, as text.
    let flag: @Sendable (ServiceFlags) -> String?
    /// Sets the field from text; false if the text is invalid.
    let read: @Sendable (String, inout ServiceConfiguration) -> Bool
    /// The field as text, as ``read`` accepts it.
    package let show: @Sendable (ServiceConfiguration) -> String

    typealias Flag = KeyPath<ServiceFlags, String?> & Sendable
    typealias Field<Value> = WritableKeyPath<ServiceConfiguration, Value> & Sendable

    init<Value: Sendable>(
        _ name: String, _ flag: any Flag, _ field: any Field<Value>, _ range: String,
        _ help: String,
        valueName: String = "value", parse: @escaping @Sendable (String) -> Value?,
        show: @escaping @Sendable (Value) -> String = { "\($0)" }
    ) {
        self.name = name
        self.range = range
        self.help = ArgumentHelp(
            "\(help) The default is \(show(ServiceConfiguration()[keyPath: field]).orNone).",
            valueName: valueName)
        self.flag = { $0[keyPath: flag] }
        read = { text, configuration in
            guard let value = parse(text) else { return false }
            configuration[keyPath: field] = value
            return true
        }
        self.show = { show($0[keyPath: field]) }
    }

    static func text(
        _ name: String, _ flag: any Flag, _ field: any Field<String>, _ range: String,
        _ help: String, valueName: String
    ) -> Self {
        Self(name, flag, field, range, help, valueName: valueName) { $0 }
    }

    /// A list, whose elements a file may have as an array.
    static func list<Element: Sendable>(
        _ name: String, _ flag: any Flag, _ field: any Field<[Element]>, separator: Character,
        _ range: String, _ help: String, valueName: String,
        element: @escaping @Sendable (String) -> Element?
    ) -> Self {
        var option = Self(
            name, flag, field, "\(range), separated by \(separator == ":" ? "colons" : "commas")",
            help, valueName: valueName,
            parse: { text in
                let parts = text.split(separator: separator).map { String($0.trimmingPrefix(" ")) }
                let elements = parts.compactMap(element)
                return elements.count == parts.count ? elements : nil
            },
            show: { $0.map { "\($0)" }.joined(separator: String(separator)) })
        option.separator = String(separator)
        return option
    }

    static func count(
        _ name: String, _ flag: any Flag, _ field: any Field<Int>, _ range: ClosedRange<Int>,
        _ help: String
    ) -> Self {
        Self(
            name, flag, field, "from \(range.lowerBound) to \(range.upperBound)", help,
            valueName: "number"
        ) { Int($0).flatMap { range.contains($0) ? $0 : nil } }
    }

    static func number(
        _ name: String, _ flag: any Flag, _ field: any Field<Double>, _ range: ClosedRange<Double>,
        unit: String, _ help: String
    ) -> Self {
        Self(
            name, flag, field,
            "from \(number(range.lowerBound)) to \(number(range.upperBound)) \(unit)", help,
            valueName: unit, parse: { Double($0).flatMap { range.contains($0) ? $0 : nil } },
            show: number)
    }

    /// A number without a needless fraction.
    static let number: @Sendable (Double) -> String = { value in
        value == value.rounded() && abs(value) < 1e9 ? "\(Int(value))" : "\(value)"
    }

    /// A limit, or none.
    static func limit<Value: Comparable & Sendable>(
        _ name: String, _ flag: any Flag, _ field: any Field<Value?>, _ range: ClosedRange<Value>,
        _ help: String, valueName: String, parse: @escaping @Sendable (String) -> Value?,
        show: @escaping @Sendable (Value) -> String
    ) -> Self {
        Self(
            name, flag, field,
            "none, or from \(show(range.lowerBound)) to \(show(range.upperBound))", help,
            valueName: valueName,
            parse: { text -> Value?? in
                if text == "none" { return .some(nil) }
                return parse(text).flatMap { range.contains($0) ? .some($0) : nil }
            }, show: { $0.map(show) ?? "none" })
    }

    static func bytes(
        _ name: String, _ flag: any Flag, _ field: any Field<ByteCount>,
        _ range: ClosedRange<ByteCount>, _ help: String
    ) -> Self {
        Self(
            name, flag, field,
            "from \(range.lowerBound.exact) to \(range.upperBound.exact), such as 64MB", help,
            valueName: "bytes",
            parse: { ByteCount(parsing: $0).flatMap { range.contains($0) ? $0 : nil } },
            show: \.exact)
    }

    static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ flag: any Flag, _ field: any Field<Value>, _ help: String
    ) -> Self where Value.RawValue == String {
        let names = Value.allCases.map(\.rawValue)
        return Self(
            name, flag, field, "one of \(names.joined(separator: ", "))", help,
            valueName: names.joined(separator: "|"), parse: { Value(rawValue: $0) },
            show: \.rawValue)
    }
}

extension ByteCount {
    /// The count without loss, in the largest unit that divides it.
    var exact: String {
        for (name, unit) in [
            ("GiB", 1 << 30), ("MiB", 1 << 20), ("GB", 1_000_000_000), ("MB", 1_000_000),
            ("KiB", 1 << 10), ("kB", 1000),
        ] where bytes > 0 && bytes % unit == 0 {
            return "\(bytes / unit)\(name)"
        }
        return "\(bytes)"
    }
}

extension String {
    fileprivate var orNone: String { isEmpty ? "none" : self }
}
