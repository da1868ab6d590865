import ArgumentParser
import Foundation
import NotificationCheck

/// The default of an option, which an environment variable may override.
///
/// Precedence: command line, environment, built-in value.
struct EnvironmentDefault<Value: ExpressibleByArgument & Sendable>: EnvironmentChecking {
    private let option: String
    private let builtIn: Value

    init(_ option: String, _ builtIn: Value) {
        precondition(EnvironmentName.options.contains(option), "\(option) is not listed")
        self.option = option
        self.builtIn = builtIn
    }

    /// The effective default.
    ///
    /// ``check()`` reports unreadable values.
    var value: Value { text.flatMap(Value.init(argument:)) ?? builtIn }

    func check() throws {
        guard let text, Value(argument: text) == nil else { return }
        let names = Value.allValueStrings
        let remedy = names.isEmpty ? "" : ": \(NearMiss.remedy(for: text, among: names))"
        throw ValidationError(
            "The value '\(text)' of \(variable) is invalid for '--\(option)'\(remedy)")
    }

    private var variable: String { EnvironmentName.variable(of: option) }

    /// `ProcessInfo` would copy all variables, for every option.
    private var text: String? { getenv(variable).map { String(cString: $0) } }
}

/// Type-erased check of an ``EnvironmentDefault``.
protocol EnvironmentChecking: Sendable {
    func check() throws
}

/// A yes-or-no value in the environment.
enum Answer: String, ExpressibleByArgument, CaseIterable {
    case yes, no, on, off, `true`, `false`
    case one = "1"
    case zero = "0"

    var isYes: Bool { [.yes, .on, .true, .one].contains(self) }
}
