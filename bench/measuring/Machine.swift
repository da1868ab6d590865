import Foundation

/// The machine and the versions that figures belong to.
package struct Machine: Encodable {
    /// The processor's model.
    package let processor: String
    /// How many processors may be used.
    package let cores: Int
    /// The versions of the programs compared.
    package let versions: [String]

    /// Asks the machine and the programs.
    ///
    /// - Parameter programs: Commands that say their versions in their first lines.
    /// - Throws: `BenchmarkError` when one cannot be run.
    package init(programs: [ChildProcess]) throws {
        cores = ProcessInfo.processInfo.activeProcessorCount
        // proc(5); elsewhere the model stays unknown.
        let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
        processor =
            model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
            ?? "unknown processor"
        versions = try programs.map { program in
            try program.run().prefix { $0 != "\n" }.trimmingCharacters(in: .whitespaces)
        }
    }

    /// One line.
    package var text: String {
        "\(processor), \(cores) cores; \(versions.joined(separator: "; "))."
    }
}
