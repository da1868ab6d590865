package import ArgumentParser

/// The options of messages and logs.
package enum LoggingOption {
    package typealias Declaration = OptionDeclaration<LoggingFlags, LoggingChoices>

    package static let all: [Declaration] = [logURLs]

    package static let logURLs: Declaration = .answer(
        "log-urls", \.logURLs, \.wholeURLs, "Write whole URLs into messages, reports and logs."
    )
    .explained(
        "By default they have no user, query and fragment, which may be secret.")
}

/// The options of messages and logs on the command line, as text.
package struct LoggingFlags: ParsableArguments, Sendable {
    @Flag(LoggingOption.logURLs) package var logURLs: Bool?

    package init() {}
}

/// Values of the options of messages and logs.
package struct LoggingChoices: OptionTarget {
    /// URLs with user, query and fragment.
    package var wholeURLs = false

    package init() {}
}
