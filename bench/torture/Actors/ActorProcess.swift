import Foundation

/// A child process that runs an actor.
final class ActorProcess {
    let name: String
    let log: URL
    private let process = Process()
    private let errors: URL

    /// Starts an actor on the workplace's container, or on the one at `root`.
    init(
        _ role: Act.Role, at root: URL? = nil, name: String, in workplace: Workplace,
        _ options: [String]
    ) throws {
        self.name = name
        log = try workplace.makeLog()
        errors = try workplace.makeLog()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath()
        process.arguments =
            [
                "act", role.rawValue, "--container", (root ?? workplace.container).path, "--name",
                name,
            ]
            + options
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
    }

    var isRunning: Bool { process.isRunning }

    /// True if it has begun its work.
    var hasBegun: Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: log.path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0 > 0
    }

    /// Sends SIGKILL.
    func kill() { _ = Foundation.kill(process.processIdentifier, SIGKILL) }

    /// Waits for the exit and returns the error output of a failure.
    func failure() throws -> String? {
        process.waitUntilExit()
        let isKilled =
            process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
        if isKilled || process.terminationStatus == 0 { return nil }
        let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        return "\(name) ended with \(process.terminationStatus): \(said)"
    }

    deinit {
        for file in [log, errors] { try? FileManager.default.removeItem(at: file) }
    }
}
