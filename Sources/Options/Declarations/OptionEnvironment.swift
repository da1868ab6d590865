package import ArgumentParser
import Foundation

/// Environment variables of options: a prefix, and the name of the option in capitals.
package struct OptionEnvironment: Sendable {
    package let prefix: String

    package init(prefix: String) { self.prefix = prefix }

    /// The variable of an option.
    package func variable(of option: String) -> String {
        prefix + option.uppercased().replacing("-", with: "_")
    }

    /// `ProcessInfo` would copy all variables, for every option.
    package func text(of option: String) -> String? {
        getenv(variable(of: option)).map { String(cString: $0) }
    }
}

extension OptionDeclaration {
    /// Sets the field from the command line, else from the environment.
    ///
    /// - Parameters:
    ///   - flags: The flags; nil before the command line is parsed.
    ///   - environment: The variables.
    ///   - target: Receives the value.
    /// - Throws: `ValidationError` naming option or variable, and the valid values.
    package func read(
        _ flags: Flags?, _ environment: OptionEnvironment, into target: inout Target
    ) throws(ValidationError) {
        try read(given: flags.flatMap(flag), environment, into: &target)
    }

    /// Same, from the value of a flag; nil for an environment that is not read.
    package func read(
        given: String?, _ environment: OptionEnvironment?, into target: inout Target
    ) throws(ValidationError) {
        guard let text = given ?? environment?.text(of: name), !read(text, &target) else { return }
        let variable = given == nil ? environment?.variable(of: name) : nil
        let origin = variable.map { " of \($0)" } ?? ""
        throw ValidationError(
            "The value '\(text)'\(origin) is invalid for '--\(name)': it must be "
                + "\(range)." + (hint(text).map { " \($0)" } ?? ""))
    }
}

extension Sequence {
    /// Sets the fields of all options from the command line, else from the environment.
    package func read<Flags, Target>(
        _ flags: Flags?, _ environment: OptionEnvironment, into target: inout Target
    ) throws(ValidationError) where Element == OptionDeclaration<Flags, Target> {
        for option in self { try option.read(flags, environment, into: &target) }
    }
}
