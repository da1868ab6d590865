/// An invalid option, with its origin and its range.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Name of the option, or of an unknown one.
    package let field: String
    /// The invalid value; nil if missing.
    package let value: String?
    /// The valid values.
    package let range: String
    /// A sentence that helps, such as "Did you mean 24MiB?".
    package let hint: String?
    package let origin: Origin

    package init(
        _ field: String, value: String? = nil, range: String, hint: String? = nil,
        origin: Origin = .builtIn
    ) {
        self.field = field
        self.value = value
        self.range = range
        self.hint = hint
        self.origin = origin
    }

    /// Field, value, range and origin in one line.
    package var description: String {
        let place = origin == .builtIn ? "" : " (\(origin))"
        return "\(field) must be \(range)" + (value.map { ", not \"\($0.printable)\"" } ?? "")
            + place + (hint.map { ". \($0)" } ?? "")
    }
}

/// The source of an option's value.
package enum Origin: Sendable, Hashable, CustomStringConvertible {
    case builtIn
    case file(String)
    case environment(String)
    case flag(String)

    package var description: String {
        switch self {
        case .builtIn: "default"
        case .file(let path): "file \(path.printable)"
        case .environment(let name): "environment \(name.printable)"
        case .flag(let name): "flag --\(name)"
        }
    }
}

extension String {
    /// The first 200 characters, without those that control a terminal.
    package var printable: String {
        String(
            prefix(200).map {
                $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
                    ? $0 : "?"
            })
    }
}
