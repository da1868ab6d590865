public import ArgumentParser

/// Declaration of an option: its name, range and help, its flag on the command line, and its field.
///
/// Commands, the service, its configuration file, environment variables and the documentation are made
/// from declarations.
public struct OptionDeclaration<Flags: Sendable, Target: OptionTarget>: Sendable {
    /// The value of an option among the flags of a command line, as text; nil if it was not given.
    public typealias Flag = KeyPath<Flags, String?> & Sendable
    /// The field of an option among the values of a program.
    public typealias Field<Value> = WritableKeyPath<Target, Value> & Sendable

    /// The name, such as `max-bytes`: `--max-bytes` on the command line.
    public let name: String
    /// The help, in one sentence.
    public let summary: String
    /// Further sentences of the help; the default is empty.
    public var discussion = ""
    /// The name of the value in the help, such as `bytes`.
    public let valueName: String
    /// The valid values, as in "must be …".
    public let range: String
    /// Several values of a list, such as a file's array, as one text.
    public var joined: @Sendable ([String]) -> String = { $0.joined(separator: ",") }
    /// The completion of the value in a shell; the default is none.
    public var completion = OptionCompletion.none
    /// True for an option whose flags are `--name` and `--no-name`.
    public var isAnswer = false
    /// A sentence that helps with an invalid text, such as "Did you mean 24MiB?"; the default is nil.
    public var hint: @Sendable (String) -> String? = { _ in nil }
    /// The value on the command line, as text.
    public let flag: @Sendable (Flags) -> String?
    /// Sets the field from text; false if the text is invalid.
    public let read: @Sendable (String, inout Target) -> Bool
    /// The field as text, which ``read`` accepts.
    public let show: @Sendable (Target) -> String
    /// The default as text; empty for none.
    public let builtIn: String

    /// Declares an option.
    ///
    /// - Parameters:
    ///   - name: The name, in words with hyphens.
    ///   - flag: The option on the command line.
    ///   - field: The field that it sets.
    ///   - range: The valid values, which follow "must be".
    ///   - summary: The help, in one sentence.
    ///   - valueName: The name of the value in the help.
    ///   - parse: Reads the value; nil for an invalid text.
    ///   - show: Writes the value, so that `parse` accepts it. The default is the value's description.
    public init<Value: Sendable>(
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
    ///
    /// - Parameters:
    ///   - flags: The flags of this kind among all flags of the program.
    ///   - field: The fields of this kind among all fields of the program.
    /// - Returns: The option of the program.
    public func lifted<OtherFlags: Sendable, Other: OptionTarget>(
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

    /// The help of swift-argument-parser, with the default.
    public var help: ArgumentHelp {
        ArgumentHelp(
            builtIn.isEmpty || isAnswer ? summary : "\(summary) (default: \(builtIn))",
            discussion: discussion, valueName: valueName)
    }
}

/// A set of fields that options write, with built-in values.
public protocol OptionTarget: Sendable {
    /// Creates the built-in values.
    init()
}

/// Completions of a shell for the value of an option.
public enum OptionCompletion: Sendable, Hashable {
    /// No completion.
    case none
    /// Paths of files.
    case file
    /// Paths of folders.
    case folder
    /// One of these texts.
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
    /// The flag of a declared option.
    public init<Flags, Target>(_ option: OptionDeclaration<Flags, Target>) {
        self.init(
            name: .customLong(option.name), help: option.help, completion: option.completion.kind)
    }
}

extension Option where Value == [String] {
    /// The flag of a declared option that may be repeated.
    public init<Flags, Target>(_ option: OptionDeclaration<Flags, Target>) {
        self.init(
            wrappedValue: [], name: .customLong(option.name), parsing: .singleValue,
            help: option.help, completion: option.completion.kind)
    }
}

extension Flag where Value == Bool? {
    /// The two flags of a declared option: `--name` and `--no-name`.
    public init<Flags, Target>(_ option: OptionDeclaration<Flags, Target>) {
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
