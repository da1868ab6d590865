import ArgumentParser
import AttachmentService
import Foundation
import ServiceOptions

/// `thimble-server check-config`: the effective configuration with its origins.
struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Print the effective configuration and the origin of each value, and check it.",
        discussion: """
            Tokens are counted and never printed. Nothing is started or created.

            EXAMPLES
              thimble-server check-config --container /var/lib/thimble --max-queue 64
              THIMBLE_SERVER_PORT=80 thimble-server check-config --config server.json
            """)

    @OptionGroup var flags: ServiceFlags

    func run() async throws {
        var loaded = await LoadedConfiguration.load(flags)
        let width = ServiceOption.all.map(\.name.count).max() ?? 0
        for option in ServiceOption.all {
            let value = option.show(loaded.configuration)
            let name = option.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let shown = value.isEmpty ? "none" : value.printable
            let text = shown.padding(
                toLength: max(20, shown.count), withPad: " ", startingAt: 0)
            print("\(name)  \(text)  \(loaded.origin(of: option))")
        }
        let path = loaded.configuration.tokens
        if !path.isEmpty {
            do throws(BearerTokens.Failure) {
                print("tokens: \(try BearerTokens(path: path).count) in the file")
            } catch {
                loaded.errors.append(
                    ConfigurationError(
                        "tokens", value: path, range: "a valid token file: \(error)",
                        origin: loaded.origins["tokens"] ?? .builtIn))
            }
        }
        guard loaded.errors.isEmpty else {
            loaded.errors.forEach { Serve.complain("\($0)") }
            throw ExitCode.invalidConfiguration
        }
    }
}
