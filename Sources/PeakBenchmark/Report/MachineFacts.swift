package import AttachmentContainer
internal import Foundation
internal import Subprocess
internal import SystemPackage

/// The machine and the versions that figures belong to.
package struct MachineFacts: Sendable, Hashable, Codable {
    /// The processor's model.
    package let processor: String
    /// How many processors may be used.
    package let cores: Int
    /// The memory of the machine.
    package let memory: ByteCount
    /// The kernel's version.
    package let kernel: String
    /// What puts commands under the cap.
    package let enforcement: String
    /// The version of every peer, by its name; of one that is not installed there is none.
    package let versions: [String: String]

    /// Asks the machine and the peers.
    ///
    /// - Parameters:
    ///   - peers: The peers.
    ///   - values: What stands for the placeholders in their commands.
    ///   - enforcement: What puts commands under the cap.
    /// - Throws: ``BenchmarkError`` when a version command cannot be filled in.
    package init(
        peers: [Peer], values: Peer.Values, enforcement: String
    ) async throws(BenchmarkError) {
        // proc(5); elsewhere the model stays unknown.
        let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
        processor =
            model?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
            ?? "unknown processor"
        cores = ProcessInfo.processInfo.activeProcessorCount
        memory = ByteCount(Int(clamping: ProcessInfo.processInfo.physicalMemory))
        var system = utsname()
        uname(&system)
        kernel = withUnsafeBytes(of: &system.release) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.enforcement = enforcement
        var versions: [String: String] = [:]
        for peer in peers {
            versions[peer.name] = await Self.version(
                try peer.filled(peer.version, with: values))
        }
        self.versions = versions
    }

    /// The first line that a version command prints; nil when it cannot be run.
    private static func version(_ command: [String]) async -> String? {
        guard let program = command.first else { return nil }
        let result = try? await run(
            program.contains("/") ? .path(FilePath(program)) : .name(program),
            arguments: Arguments(Array(command.dropFirst())),
            output: .string(limit: 1 << 16), error: .discarded)
        guard let result, result.terminationStatus.isSuccess else { return nil }
        let line = result.standardOutput.split(separator: "\n").first ?? ""
        // What follows the version, a date or an address, makes tables unreadable.
        return line.split(separator: " ").prefix(3).joined(separator: " ")
            .replacing("Version: ", with: "")
    }

    /// One paragraph.
    var text: String {
        let tools = versions.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let machine =
            "\(processor), \(cores) cores, \(memory), Linux \(kernel), cap by \(enforcement)."
        return tools.isEmpty ? machine : machine + " " + tools.joined(separator: "; ") + "."
    }
}
