public import ArgumentParser

/// The options of messages and logs.
public enum LoggingOption {
    /// A declaration of this kind.
    public typealias Declaration = OptionDeclaration<LoggingFlags, LoggingChoices>

    /// All of them, in the order of the help.
    public static let all: [Declaration] = [logURLs]

    package static let logURLs: Declaration = .answer(
        "log-urls", \.logURLs, \.wholeURLs, "Write whole URLs into messages, reports and logs."
    )
    .explained(
        "By default they have no user, query and fragment, which may be secret.")
}

/// The options of messages and logs on the command line, as text.
public struct LoggingFlags: ParsableArguments, Sendable {
    @Flag(LoggingOption.logURLs) package var logURLs: Bool?

    /// Creates flags without values.
    public init() {}
}

/// Values of the options of messages and logs.
public struct LoggingChoices: OptionTarget {
    /// True for URLs with user, query and fragment; the default is false.
    public var wholeURLs = false

    /// Creates the built-in values.
    public init() {}
}
