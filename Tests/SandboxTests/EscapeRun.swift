#if os(Linux)
    import Foundation
    import WorkerProtocol
    import Testing

    /// One run of `sandbox-escapes`, a compromised decoder, in folders of its own.
    struct EscapeRun {
        /// Its output.
        struct Findings: Decodable {
            let report: SandboxReport?
            let refusal: String?
            let escapes: [String: Int32]
            let duties: [String: Int32]
            let anonymousBefore, anonymousAfter: Int
        }

        let findings: Findings
        /// File names in the outside folder after the run, and the contents of a file there.
        let outside: Set<String>
        let foreign: String

        /// Runs the program to its end; `landlock` replaces the kernel's version.
        init(_ mode: SandboxMode, landlock: Int? = nil, isTransfer: Bool = false) throws {
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
            if isTransfer {
                try Data("shown".utf8).write(to: folder.appending(path: "outside/readable"))
            }
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "incoming/link"),
                withDestinationURL: folder.appending(path: "outside/file"))

            let process = Process()
            process.executableURL = Self.program
            process.arguments =
                [mode.rawValue, folder.path, landlock.map { "\($0)" } ?? "kernel"]
                + (isTransfer ? ["transfers"] : [])
            // A socket, as workers have.
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

        /// Next to the test runner in the folder of built products.
        private static let program = URL(fileURLWithPath: CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "sandbox-escapes")
    }
#endif
