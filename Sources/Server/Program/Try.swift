import ArgumentParser
import AttachmentService
import Foundation
import Logging
import ServiceOptions

/// `thimble-server try`: the page in a browser, until Ctrl-C.
struct Try: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Open a page in a browser to try pictures and payloads on.",
        discussion: """
            Takes free ports of this machine, and a container that is removed at the end, unless options \
            name others. The page has a secret address, and nothing else is served. Ctrl-C ends it.
            """)

    @Flag(inversion: .prefixedNo, help: "Open the page in a browser.")
    var open = true

    @OptionGroup var flags: ServiceFlags

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-try-\(UUID().uuidString)", directoryHint: .isDirectory)
        var flags = flags
        flags.page = flags.page ?? true
        flags.host = flags.host ?? "127.0.0.1"
        flags.port = flags.port ?? "0"
        flags.operationsPort = flags.operationsPort ?? "0"
        flags.container = flags.container ?? folder.path
        flags.logLevel = flags.logLevel ?? "warning"
        var configuration = try await Serve.prepare(flags)
        let secret = String(UInt128.random(in: .min ... .max), radix: 36)
        configuration.pageSecret = secret
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            var service = try ThimbleService(
                configuration, logger: Logger(label: "thimble-server"))
            let (host, opens) = (configuration.host, open)
            service.onListening = { port in
                let name = host.contains(":") ? "[\(host)]" : host
                let address = "http://\(name):\(port)/\(secret)/"
                let line = "Serving \(address), Ctrl-C ends it\n"
                FileHandle.standardOutput.write(Data(line.utf8))
                if opens { Self.openBrowser(at: address) }
            }
            try await service.run()
        } catch {
            LogSink.standardError.flush()
            Serve.complain("\(error)")
            throw ExitCode.unusable
        }
        LogSink.standardError.flush()
    }

    /// Asks the desktop to open an address; without a desktop, the printed address remains.
    private static func openBrowser(at address: String) {
        #if os(macOS)
            let program = "open"
        #else
            let program = "xdg-open"
        #endif
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program, address]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try? process.run()
    }
}
