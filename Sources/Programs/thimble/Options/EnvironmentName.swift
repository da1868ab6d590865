import ArgumentParser
import Foundation
import NotificationCheck
import ProgramLaunch
import ThimbleOptions

/// The environment variables of the command's options.
enum EnvironmentName {
    /// The options that variables set.
    private static let options = Set(
        RenditionOption.all.map(\.name) + FetchOption.all.map(\.name)
            + StoreOption.all.map(\.name) + PayloadOption.all.map(\.name)
            + WorkerOption.all.map(\.name) + LoggingOption.all.map(\.name) + ["jobs"] + own)

    /// Options of this program only; ``EnvironmentDefault`` requires each of its options here.
    static let own: Set = [
        "container", "log-level", "mode", "push-type", "report",
    ]

    /// Variables of the package's own tests and benchmarks, which the command inherits from them.
    private static let ofTests: Set<String> = [
        "CORPUS", "CORPUS_PIXELS", "DOCS", "FLEET_INSIDE", "FUZZ", "LONG_TESTS", "PUBLISHED",
        "SANITIZE", "TEST_SECRET", "THOROUGH",
    ]

    /// The prefix of the variables of thimble-server, which checks them itself.
    private static let ofServer = "SERVER_"

    /// Refuses unknown variables, because a misspelt limit would otherwise be no limit.
    ///
    /// - Throws: `ValidationError` naming the first unknown variable and the nearest known one.
    static func check(_ environment: some Sequence<String>) throws {
        let prefix = OptionEnvironment.thimble.prefix
        let candidates = environment.filter { $0.hasPrefix(prefix) }.sorted()
        guard !candidates.isEmpty else { return }
        let known = Set(
            options.map(OptionEnvironment.thimble.variable) + [InstalledProgram.variable])
        for name in candidates where !known.contains(name) {
            let rest = String(name.dropFirst(prefix.count))
            guard !rest.hasPrefix(ofServer), !ofTests.contains(rest) else { continue }
            throw ValidationError(
                "The environment variable \(name) is unknown. "
                    + (NearMiss.question(for: name, among: known.sorted())
                        ?? "Unset it; 'thimble --help' lists the variables."))
        }
    }
}
