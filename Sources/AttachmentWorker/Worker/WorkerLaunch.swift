import AttachmentContainer
import AttachmentPlanning
import Foundation
import Subprocess
import SystemPackage
import WorkerProtocol

/// How the workers of one pool are started.
struct WorkerLaunch: Sendable {
    /// The program.
    let executable: URL
    let container: SharedContainer
    /// What is asked of the renditions, with the cap that plans are made for.
    let settings: ProcessingSettings
    let hardCap: HardCap

    /// What a worker is told first.
    ///
    /// - Parameter writer: What the names of its unfinished files begin with.
    /// - Returns: The configuration.
    func configuration(writer: String) -> WorkerConfiguration {
        WorkerConfiguration(
            settings: settings, container: container.root.path, writer: writer, cap: hardCap.cap,
            limitsItself: hardCap.mechanism == .dataLimit)
    }

    /// The command line.
    ///
    /// - Parameter group: The worker's group, if it gets one.
    /// - Returns: What to start.
    func command(in group: ControlGroup?) -> Configuration {
        var words = (group?.launchPrefix ?? []) + [executable.path]
        if hardCap.mechanism == .dataLimit {
            // Threads' stacks are mapped whole, at 8 MB each by default, and count in full. Decoders
            // are content with less than the 128 KiB that they get under musl.
            words = ["/bin/sh", "-c", #"ulimit -S -s 256 && exec "$@""#, "sh"] + words
        }
        var options = PlatformOptions()
        // Ctrl-C in a terminal goes to the whole group: the supervisor decides for its workers.
        options.processGroupID = 0
        return Configuration(
            executable: .path(FilePath(words[0])), arguments: Arguments(Array(words.dropFirst())),
            environment: .inherit.updating([
                // Tracing a crash takes seconds, and memory that is counted.
                "SWIFT_BACKTRACE": "enable=no",
                // One attachment at a time has no use for more, and each keeps what was freed in it.
                "MALLOC_ARENA_MAX": "1",
            ]),
            platformOptions: options)
    }

    /// Looks for the worker beside the running program: in its folder, where the package manager
    /// builds and an installation puts both.
    static func siblingExecutable() -> URL? {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let started = URL(fileURLWithPath: CommandLine.arguments.first ?? "")
            .resolvingSymlinksInPath()
        return [program, started].map {
            $0.deletingLastPathComponent().appending(path: "thimble-worker")
        }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
