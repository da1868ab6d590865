import ArgumentParser
import NotificationCheck
import ThimbleOptions

/// The default of an option of this program only, which an environment variable may override.
///
/// Precedence: command line, environment, built-in value.
struct EnvironmentDefault<Value: ExpressibleByArgument & Sendable>: EnvironmentChecking {
    private let option: String
    private let builtIn: Value

    init(_ option: String, _ builtIn: Value) {
        precondition(EnvironmentName.own.contains(option), "\(option) is not listed")
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

    private var variable: String { OptionEnvironment.thimble.variable(of: option) }

    private var text: String? { OptionEnvironment.thimble.text(of: option) }
}

/// Type-erased check of an ``EnvironmentDefault``.
protocol EnvironmentChecking: Sendable {
    func check() throws
}
