package import ArgumentParser

/// Declaration of an option: its name, range and help, its flag on the command line, and its field.
///
/// Commands, the service, its configuration file, environment variables and the documentation are made
/// from declarations.
package struct OptionDeclaration<Flags: Sendable, Target: OptionTarget>: Sendable {
    package typealias Flag = KeyPath<Flags, String?> & Sendable
    package typealias Field<Value> = WritableKeyPath<Target, Value> & Sendable

    package let name: String
    /// One sentence.
    package let summary: String
    /// More than one sentence, for the help.
    package var discussion = ""
    package let valueName: String
    /// The valid values, as in "must be …".
    package let range: String
    /// Several values of a list, such as a file's array, as one text.
    package var joined: @Sendable ([String]) -> String = { $0.joined(separator: ",") }
    /// What a shell completes.
    package var completion = OptionCompletion.none
    /// True for an option whose flags are `--name` and `--no-name`.
    package var isAnswer = false
    /// A sentence that helps with an invalid text, such as "Did you mean 24MiB?".
    package var hint: @Sendable (String) -> String? = { _ in nil }
    /// The value on the command line, as text.
    package let flag: @Sendable (Flags) -> String?
    /// Sets the field from text; false if the text is invalid.
    package let read: @Sendable (String, inout Target) -> Bool
    /// The field as text, which ``read`` accepts.
    package let show: @Sendable (Target) -> String
    /// The default as text; empty for none.
    package let builtIn: String

    package init<Value: Sendable>(
        _ name: String, _ flag: any Flag, _ field: any Field<Value>, _ range: String,
        _ summary: String, valueName: String = "value",
        parse: @escaping @Sendable (String) -> Value?,
        show: @escaping @Sendable (Value) -> String = { "\($0)" }
    ) {
        self.init(
            name, { $0[keyPath: flag] }, field, range, summary, valueName: valueName, parse: parse,
            show: show)
    }

    init<Value: Sendable>(
        _ name: String, _ flag: @escaping @Sendable (Flags) -> String?, _ field: any Field<Value>,
        _ range: String, _ summary: String, valueName: String,
        parse: @escaping @Sendable (String) -> Value?,
        show: @escaping @Sendable (Value) -> String
    ) {
        (self.name, self.summary, self.valueName, self.range) = (name, summary, valueName, range)
        self.flag = flag
        read = { text, target in
            guard let value = parse(text) else { return false }
            target[keyPath: field] = value
            return true
        }
        self.show = { show($0[keyPath: field]) }
        builtIn = show(Target()[keyPath: field])
    }

    private init<Part: Sendable, Parts: OptionTarget>(
        _ option: OptionDeclaration<Part, Parts>,
        flag: @escaping @Sendable (Flags) -> String?,
        field: any WritableKeyPath<Target, Parts> & Sendable
    ) {
        (name, summary, discussion) = (option.name, option.summary, option.discussion)
        (valueName, range, joined) = (option.valueName, option.range, option.joined)
        (completion, isAnswer) = (option.completion, option.isAnswer)
        hint = option.hint
        self.flag = flag
        read = { option.read($0, &$1[keyPath: field]) }
        show = { option.show($0[keyPath: field]) }
        builtIn = option.show(Target()[keyPath: field])
    }

    /// The same option among the flags and fields of a program.
    package func lifted<OtherFlags: Sendable, Other: OptionTarget>(
        from flags: any KeyPath<OtherFlags, Flags> & Sendable,
        to field: any WritableKeyPath<Other, Target> & Sendable
    ) -> OptionDeclaration<OtherFlags, Other> {
        OptionDeclaration<OtherFlags, Other>(
            self, flag: { [flag] in flag($0[keyPath: flags]) }, field: field)
    }

    /// The same option with more than one sentence in the help.
    func explained(_ discussion: String) -> Self {
        var option = self
        option.discussion = discussion
        return option
    }

    package var help: ArgumentHelp {
        ArgumentHelp(
            builtIn.isEmpty || isAnswer ? summary : "\(summary) (default: \(builtIn))",
            discussion: discussion, valueName: valueName)
    }
}

/// A set of fields that options write.
package protocol OptionTarget: Sendable {
    /// Creates the built-in values.
    init()
}

/// Completions of a shell for the value of an option.
package enum OptionCompletion: Sendable, Hashable {
    case none, file, folder
    case values([String])

    var kind: CompletionKind {
        switch self {
        case .none: .default
        case .file: .file()
        case .folder: .directory
        case .values(let names): .list(names)
        }
    }
}

extension Option where Value == String? {
    package init<Flags, Target>(_ option: OptionDeclaration<Flags, Target>) {
        self.init(
            name: .customLong(option.name), help: option.help, completion: option.completion.kind)
    }
}

extension Option where Value == [String] {
    package init<Flags, Target>(_ option: OptionDeclaration<Flags, Target>) {
        self.init(
            wrappedValue: [], name: .customLong(option.name), parsing: .singleValue,
            help: option.help, completion: option.completion.kind)
    }
}

extension Flag where Value == Bool? {
    package init<Flags, Target>(_ option: OptionDeclaration<Flags, Target>) {
        let isNo = option.builtIn == "no"
        self.init(
            name: .customLong(option.name), inversion: .prefixedNo,
            help: ArgumentHelp(
                option.builtIn == "auto"
                    ? option.summary
                    : "\(option.summary) (default: --\(isNo ? "no-" : "")\(option.name))",
                discussion: option.discussion))
    }
}
