internal import AttachmentContainer
import AttachmentWorker
internal import Foundation
internal import Subprocess
internal import SystemPackage

/// Machine and tool versions of a measurement.
struct MachineFacts: Sendable, Hashable, Codable {
    let processor: String
    let cores: Int
    let memory: ByteCount
    let kernel: String
    let enforcement: String
    /// Versions by peer name.
    ///
    /// Missing peers are absent.
    private(set) var versions: [String: String]

    init(
        peers: [Peer], values: Peer.Values, hierarchy: ControlGroupHierarchy?
    ) async throws(BenchmarkError) {
        // From proc(5); unknown on other systems.
        let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
        processor = model?.split(separator: ":").last.map(\.trimmed) ?? "unknown processor"
        cores = ProcessInfo.processInfo.activeProcessorCount
        memory = ByteCount(Int(clamping: ProcessInfo.processInfo.physicalMemory))
        var system = utsname()
        uname(&system)
        kernel = withUnsafeBytes(of: &system.release) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        enforcement = hierarchy.map { $0.version == .v2 ? "cgroup v2" : "cgroup v1" } ?? "none"
        var versions: [String: String] = [:]
        for peer in peers {
            versions[peer.name] = await Self.version(try peer.filled(peer.version, with: values))
        }
        self.versions = versions
    }

    /// The first line of a version command's output; nil if it cannot be run.
    private static func version(_ command: [String]) async -> String? {
        guard let program = command.first else { return nil }
        let result = try? await run(
            program.contains("/" as Character) ? .path(FilePath(program)) : .name(program),
            arguments: Arguments(Array(command.dropFirst())),
            output: .string(limit: 1 << 16), error: .discarded)
        guard let result, result.terminationStatus.isSuccess else { return nil }
        let line = result.standardOutput.split(separator: "\n").first ?? ""
        // Keep the version and drop dates and addresses.
        return line.split(separator: " ").prefix(3).joined(separator: " ")
            .replacing("Version: ", with: "")
    }

    /// The machine with the versions of further peers.
    func adding(_ versions: [String: String]) -> MachineFacts {
        var facts = self
        facts.versions.merge(versions) { own, _ in own }
        return facts
    }

    /// The machine without its tools.
    var hardware: String {
        "\(processor), \(cores) cores, \(memory), Linux \(kernel), cap by \(enforcement)."
    }

    var text: String {
        let tools = versions.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return tools.isEmpty ? hardware : hardware + " " + tools.joined(separator: "; ") + "."
    }
}
