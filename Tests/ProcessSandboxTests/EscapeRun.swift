#if os(Linux)
    import Foundation
    import ProcessSandbox
    import Testing

    /// A run of the decoder that was taken over, in folders of its own.
    struct EscapeRun {
        /// What it printed.
        struct Findings: Decodable {
            let report: SandboxReport?
            let refusal: String?
            let escapes: [String: Int32]
            let duties: [String: Int32]
            let milliseconds: Double
            let anonymousBefore, anonymousAfter: Int
        }

        let findings: Findings
        /// The names of the files outside after it, and what is in the one that it was not to write to.
        let outside: Set<String>
        let foreign: String

        /// Runs it to its end.
        ///
        /// - Parameters:
        ///   - mode: How much depends on the sandbox.
        ///   - landlock: The version that the kernel is taken to have; nil for its own.
        /// - Throws: When it cannot be started, or gives no account of itself.
        init(_ mode: SandboxMode, landlock: Int? = nil) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            defer { try? FileManager.default.removeItem(at: folder) }
            for name in ["incoming", "stored", "outside"] {
                let place = folder.appending(path: name)
                try FileManager.default.createDirectory(
                    at: place, withIntermediateDirectories: true)
                for file in ["file", "file2", "file3", "file4", "mine2", "mine3", "mine4"]
                where (name == "incoming") == file.hasPrefix("mine") {
                    try Data("foreign".utf8).write(to: place.appending(path: file))
                }
            }
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "incoming/link"),
                withDestinationURL: folder.appending(path: "outside/file"))

            let process = Process()
            process.executableURL = Self.program
            process.arguments = [mode.rawValue, folder.path] + (landlock.map { ["\($0)"] } ?? [])
            // A socket, as a worker has it.
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            defer { for end in ends { close(end) } }
            process.standardInput = FileHandle(fileDescriptor: ends[1])
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let bytes = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            findings = try JSONDecoder().decode(Findings.self, from: bytes)
            outside = Set(
                try FileManager.default.contentsOfDirectory(
                    atPath: folder.appending(path: "outside").path))
            foreign = try String(
                contentsOf: folder.appending(path: "outside/file4"), encoding: .utf8)
        }

        /// The folder of the built products: the one of the test runner itself.
        private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "sandbox-escapes")
    }
#endif
