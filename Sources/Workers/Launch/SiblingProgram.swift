package import Foundation

/// Programs that are installed beside the running one.
package enum SiblingProgram {
    /// The executable file of that name in the running program's folder; nil if missing.
    package static func url(named name: String) -> URL? {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let started = URL(fileURLWithPath: CommandLine.arguments.first ?? "")
            .resolvingSymlinksInPath()
        return [program, started].map { $0.deletingLastPathComponent().appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
