import Foundation

/// The machine and the versions that figures belong to.
struct Machine: Encodable {
    /// The processor's model.
    let processor: String
    /// How many processors may be used.
    let cores: Int
    /// The versions of the programs compared.
    let versions: [String]

    /// Asks the machine and the programs.
    ///
    /// - Parameter thimble: The program under test.
    /// - Throws: `BenchmarkError` when a program cannot be run.
    init(thimble: URL) throws {
        cores = ProcessInfo.processInfo.activeProcessorCount
        // proc(5); elsewhere the model stays unknown.
        let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
        processor =
            model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
            ?? "unknown processor"
        let thimbleVersion = try ChildProcess(thimble.path, "--version").run()
        let vipsVersion = try ChildProcess("vips", "--version").run()
        let codec = try ChildProcess("/bin/sh", "-c", "djpeg -version 2>&1 </dev/null").run()
        versions = [
            thimbleVersion, vipsVersion, String(codec.prefix { $0 != "\n" }),
        ].map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    /// One line.
    var text: String { "\(processor), \(cores) cores; \(versions.joined(separator: "; "))." }
}
