public import ArgumentParser
import AttachmentContainer
import Foundation
public import Logging
import ThimbleOptions

struct CommonOptions: ParsableArguments {
    @Option(help: "Least severe message to log on standard error.")
    var logLevel = Self.defaultLevel.value

    @OptionGroup var flags: LoggingFlags

    private static let defaultLevel = EnvironmentDefault("log-level", Logger.Level.warning)

    func validate() throws {
        try Self.defaultLevel.check()
        _ = try choices()
    }

    func choices() throws(ValidationError) -> LoggingChoices {
        var choices = LoggingChoices()
        try LoggingOption.all.read(flags, .thimble, into: &choices)
        return choices
    }

    /// Sends the log to standard error.
    ///
    /// Standard output stays machine-readable.
    func bootstrapLogging() {
        let level = logLevel
        LoggingSystem.bootstrap { label in
            EscapedLogHandler(label: label, level: level)
        }
    }
}

enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json

    static let fromEnvironment = EnvironmentDefault("report", Self.text)
}

struct ContainerOption: ParsableArguments {
    @Option(
        name: .customLong("container"),
        help: ArgumentHelp("The shared container's folder.", valueName: "folder"),
        completion: .directory)
    var path: String = Self.fromEnvironment.value

    /// Empty: no built-in default.
    private static let fromEnvironment = EnvironmentDefault("container", "")

    var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

    func validate() throws {
        guard !path.isEmpty else {
            throw ValidationError("Missing expected argument '--container <folder>'")
        }
    }

    /// Opens an existing container for reading.
    func open() throws -> SharedContainer {
        try orExit { () throws(ContainerError) in try SharedContainer.open(at: url) }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// Runs a step and exits the command with ``ExitCode/unusable`` if it fails.
func orExit<Value, Failure: Error>(_ step: () throws(Failure) -> Value) throws -> Value {
    do {
        return try step()
    } catch {
        Terminal.complain("error: \(error)")
        throw ExitCode.unusable
    }
}
