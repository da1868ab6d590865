import ArgumentParser
import Foundation
import NotificationCheck

/// The environment variables of the command's options.
enum EnvironmentName {
    private static let prefix = "THIMBLE_"

    /// The options that variables set; ``EnvironmentDefault`` requires each of its options here.
    static let options: Set<String> = [
        "allow-host", "allow-http", "allow-network", "allow-port", "animation-render-budget",
        "banner-side", "ca-file", "cap", "colour-space", "connect-timeout", "container",
        "crop-ratio", "deadline", "decoder", "enforce", "engine", "fetch", "fetch-headers",
        "fetch-timeout", "jobs", "log-level", "log-urls", "manifest-per-notification", "max-bytes",
        "max-canvas", "max-duration", "max-fetch-bytes", "max-fetch-cache", "max-fetches",
        "max-frame-pixels", "max-frames", "max-movie-bytes", "max-pixels", "max-pixels-per-byte",
        "max-scratch", "max-sound-bytes", "max-source-bytes", "mode", "note", "note-key",
        "payload-limit", "payload-style", "preset", "proxy-from-environment", "publish",
        "publish-mode", "publish-url", "push-type", "quality", "render-budget", "report",
        "s3-ca-file", "s3-endpoint", "s3-path-style", "s3-region", "sandbox", "scale", "scratch",
        "timeout", "tolerate-truncation", "width",
    ]

    /// Variables of the package's own tests and benchmarks, which the command inherits from them.
    private static let ofTests: Set<String> = [
        "CORPUS", "CORPUS_PIXELS", "DOCS", "FLEET_INSIDE", "FUZZ", "LONG_TESTS", "PUBLISHED",
        "SANITIZE", "TEST_SECRET", "THOROUGH",
    ]

    /// The prefix of the variables of thimble-server, which checks them itself.
    private static let ofServer = "SERVER_"

    static func variable(of option: String) -> String {
        prefix + option.uppercased().replacing("-", with: "_")
    }

    /// Refuses unknown variables, because a misspelt limit would otherwise be no limit.
    ///
    /// - Throws: `ValidationError` naming the first unknown variable and the nearest known one.
    static func check(_ environment: some Sequence<String>) throws {
        let candidates = environment.filter { $0.hasPrefix(prefix) }.sorted()
        guard !candidates.isEmpty else { return }
        let known = Set(options.map(variable))
        for name in candidates where !known.contains(name) {
            let rest = String(name.dropFirst(prefix.count))
            guard !rest.hasPrefix(ofServer), !ofTests.contains(rest) else { continue }
            let nearest = NearMiss.nearest(to: name, among: known.sorted())
            throw ValidationError(
                "The environment variable \(name) belongs to no option. "
                    + (nearest.map { "Did you mean \($0.identifier)?" }
                        ?? "Unset it; 'thimble --help' lists the variables."))
        }
    }
}
