import ArgumentParser
import Foundation

/// The default of an option, which a variable of the environment may give.
///
/// The command line goes before the environment, and that before what is built in.
struct EnvironmentDefault<Value: ExpressibleByArgument & Sendable>: EnvironmentChecking {
    private let option: String
    private let builtIn: Value

    /// Names the option.
    ///
    /// - Parameters:
    ///   - option: The option without its dashes, for example `max-bytes`.
    ///   - builtIn: The default where the variable is not set.
    init(_ option: String, _ builtIn: Value) {
        self.option = option
        self.builtIn = builtIn
    }

    /// The default; what cannot be read is found by ``check()``.
    var value: Value { text.flatMap(Value.init(argument:)) ?? builtIn }

    /// Checks that the variable can be read, if it is set.
    ///
    /// - Throws: `ValidationError` naming it.
    func check() throws {
        guard let text, Value(argument: text) == nil else { return }
        throw ValidationError("The value '\(text)' of \(variable) is invalid for '--\(option)'")
    }

    private var variable: String {
        "THIMBLE_" + option.uppercased().replacing("-", with: "_")
    }

    private var text: String? { ProcessInfo.processInfo.environment[variable] }
}

/// A variable that can be checked without its type being known.
protocol EnvironmentChecking: Sendable {
    func check() throws
}

/// What a variable of the environment says to a question.
enum Answer: String, ExpressibleByArgument, CaseIterable {
    case yes, no, on, off, `true`, `false`
    case one = "1"
    case zero = "0"

    var isYes: Bool { [.yes, .on, .true, .one].contains(self) }
}
