import Foundation

/// The effective configuration, the origin of each value, and all errors.
package struct LoadedConfiguration: Sendable {
    package var configuration = ServiceConfiguration()
    /// By option; missing ones are built in.
    package var origins: [String: Origin] = [:]
    package var errors: [ConfigurationError] = []

    /// Reads flags, then the environment, then the file that either names; the first value holds.
    ///
    /// Unknown names of the environment's prefix and of the file are errors, because a misspelt
    /// limit would otherwise be no limit.
    package static func load(
        _ flags: ServiceFlags, needsContainer: Bool = true,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> LoadedConfiguration {
        var loaded = LoadedConfiguration()
        var sources = [Source(flags), Source(environment)]
        let path = flags.config ?? environment[Source.variable("config")] ?? ""
        if !path.isEmpty {
            do throws(ConfigurationError) {
                sources.append(try await Source(file: path))
            } catch {
                loaded.errors.append(error)
            }
        }
        for option in ServiceOption.all { loaded.read(option, from: sources) }
        for source in sources { loaded.errors += source.faults }
        if loaded.errors.isEmpty {
            do throws(ConfigurationError) {
                try loaded.configuration.validate(needsContainer: needsContainer)
            } catch {
                let origin = loaded.origins[error.field] ?? .builtIn
                loaded.errors.append(
                    ConfigurationError(
                        error.field, value: error.value, range: error.range, origin: origin))
            }
        }
        return loaded
    }

    private mutating func read(_ option: ServiceOption, from sources: [Source]) {
        for source in sources {
            guard let text = source.text(of: option) else { continue }
            let origin = source.origin(option.name)
            if option.read(text, &configuration) {
                origins[option.name] = origin
            } else {
                errors.append(
                    ConfigurationError(
                        option.name, value: text, range: option.range, hint: option.hint(text),
                        origin: origin))
            }
            return
        }
    }

    package func origin(of option: ServiceOption) -> Origin { origins[option.name] ?? .builtIn }
}
