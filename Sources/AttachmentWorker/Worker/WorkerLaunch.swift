import AttachmentContainer
import AttachmentPlanning
import Foundation
import ProcessSandbox
import Subprocess
import SystemPackage
import WorkerProtocol

/// How the workers of one pool are started.
struct WorkerLaunch: Sendable {
    /// The program.
    let executable: URL
    /// The folder of files without names: those for renditions, and scratch files unless the settings
    /// name another.
    let folder: String
    /// What is asked of the renditions, with the cap that plans are made for.
    let settings: ProcessingSettings
    let hardCap: HardCap
    /// How much depends on their sandbox.
    let sandbox: SandboxMode
    /// How long a worker has for one attachment at most.
    let timeout: Duration

    /// What a worker is told first.
    var configuration: WorkerConfiguration {
        WorkerConfiguration(
            settings: settings, cap: hardCap.cap,
            limitsItself: hardCap.mechanism == .dataLimit, sandbox: sandbox, limits: limits)
    }

    /// The folder of the workers' scratch files.
    var scratchFolder: String { settings.scratchFolder ?? folder }

    /// Makes empty files for the renditions of one attachment.
    ///
    /// - Returns: The files.
    /// - Throws: `ContainerError` when the system refuses.
    func makeOutputs() throws(ContainerError) -> [OwnedDescriptor] {
        var outputs: [OwnedDescriptor] = []
        for _ in 0..<WorkerRequest.outputs {
            outputs.append(try OwnedDescriptor(unnamedFileIn: folder))
        }
        return outputs
    }

    /// What a worker may use in its life.
    private var limits: ResourceLimits {
        var limits = ResourceLimits()
        // What one attachment can take, on top of what a worker is retired after.
        let seconds = Int(min(timeout / .seconds(1), 1e6).rounded(.up))
        limits.processorSeconds =
            WorkerConfiguration.secondsToRetirement
            + max(1, seconds) * ProcessInfo.processInfo.activeProcessorCount
        limits.fileBytes = max(
            settings.maximumScratchBytes.bytes, settings.maximumSourceBytes.bytes)
        return limits
    }

    /// The command line.
    ///
    /// - Parameter group: The worker's group, if it gets one.
    /// - Returns: What to start.
    func command(in group: ControlGroup?) -> Configuration {
        var words = (group?.launchPrefix ?? []) + [executable.path]
        if hardCap.mechanism == .dataLimit {
            // Threads' stacks are mapped whole, at 8 MB each by default, and count in full. The worker
            // sets those of threads that it starts later itself.
            words = ["/bin/sh", "-c", #"ulimit -S -s 256 && exec "$@""#, "sh"] + words
        }
        var options = PlatformOptions()
        // Ctrl-C in a terminal goes to the whole group: the supervisor decides for its workers.
        options.processGroupID = 0
        return Configuration(
            executable: .path(FilePath(words[0])), arguments: Arguments(Array(words.dropFirst())),
            environment: .custom(Self.environment), platformOptions: options)
    }

    /// What a worker has of an environment: of this process's only where libraries are, which the
    /// loader asks for.
    private static var environment: [Environment.Key: String] {
        var variables: [Environment.Key: String] = [
            // Tracing a crash takes seconds, and memory that is counted.
            "SWIFT_BACKTRACE": "enable=no",
            "GLIBC_TUNABLES": smallHeap.map { "glibc.malloc.\($0)=\($1)" }.joined(separator: ":"),
        ]
        variables["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return variables
    }

    /// How the GNU allocator gives memory back early; others take no notice.
    ///
    /// One attachment at a time has no use for more than one arena, and each keeps what was freed in
    /// it. Blocks of 64 KiB and more are mapped by themselves and go back when they are freed.
    /// Threads keep no freed blocks for themselves, which no trimming would reach: 0.5 MB in a warm
    /// worker (`bench/README.md`).
    private static let smallHeap: KeyValuePairs = [
        "arena_max": 1, "mmap_threshold": 64 << 10, "trim_threshold": 64 << 10,
        "top_pad": 4 << 10, "tcache_count": 0,
    ]

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
