import Foundation

/// Machine and tool versions of a measurement.
package struct Machine: Encodable {
    package let processor: String
    /// Number of usable processors.
    package let cores: Int
    package let versions: [String]

    package init(programs: [ChildProcess]) throws {
        cores = ProcessInfo.processInfo.activeProcessorCount
        // From proc(5); unknown on other systems.
        let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
        processor =
            model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
            ?? "unknown processor"
        versions = try programs.map { program in
            try program.run().prefix { $0 != "\n" }.trimmingCharacters(in: .whitespaces)
        }
    }

    package var text: String {
        "\(processor), \(cores) cores; \(versions.joined(separator: "; "))."
    }
}
