import AttachmentContainer
import AttachmentModel
import Foundation
import ProgramLaunch
import Subprocess
import WorkerProtocol

struct WorkerLaunch: Sendable {
    /// Paths of the programs; without ``WorkerProgram/rows`` the other takes everything.
    let executables: [WorkerProgram: URL]
    /// Folder of the unlinked output files, and of scratch files unless the settings name another.
    let folder: String
    let settings: ProcessingSettings
    let hardCap: HardCap
    let sandbox: SandboxMode
    let timeout: Duration
    /// Programs whose pages would count toward the cap; empty if the mechanism does not count them.
    let residents: [WorkerProgram: ResidentProgram]
    /// Nil if no footprints are recorded.
    var recorder: FootprintRecorder?

    var configuration: WorkerConfiguration {
        WorkerConfiguration(
            settings: settings, overhead: hardCap.overhead,
            ownLimit: hardCap.mechanism == .dataLimit ? hardCap.cap : nil, sandbox: sandbox,
            limits: limits)
    }

    var scratchFolder: String { settings.scratchFolder ?? folder }

    private var limits: ResourceLimits {
        var limits = ResourceLimits()
        // The processor time of one attachment, on top of the time after which a worker retires.
        let seconds = Int(min(timeout / .seconds(1), 1e6).rounded(.up))
        limits.processorSeconds =
            WorkerConfiguration.secondsToRetirement
            + max(1, seconds) * ProcessInfo.processInfo.activeProcessorCount
        limits.fileBytes = max(
            settings.maximumScratchBytes.bytes, settings.maximumSourceBytes.bytes)
        return limits
    }

    /// The program for an attachment, unless a worker of it has handed the attachment back: libvips'
    /// if the other is not installed or libvips takes everything.
    var firstProgram: WorkerProgram {
        settings.engine == .libvips || executables[.rows] == nil ? .libvips : .rows
    }

    func command(_ program: WorkerProgram, in group: ControlGroup?) -> Configuration {
        Self.command(
            executables[program]?.path ?? program.rawValue, under: hardCap.mechanism, in: group)
    }

    static func command(
        _ path: String, under mechanism: Enforcement.Mechanism, in group: ControlGroup?
    ) -> Configuration {
        var words = (group?.launchPrefix ?? []) + [path]
        if mechanism == .dataLimit {
            // Stacks of threads are mapped whole, 8 MB each by default, and RLIMIT_DATA counts all
            // of it. The worker sets the stack sizes of later threads itself.
            words = Shell.prefix(#"ulimit -S -s 256 && exec "$@""#) + words
        }
        return Configuration(words, environment: environment)
    }

    static var environment: [Environment.Key: String] {
        var variables: [Environment.Key: String] = [
            // Tracing a crash takes seconds, and memory that counts toward the cap.
            "SWIFT_BACKTRACE": "enable=no",
            "GLIBC_TUNABLES": smallHeap.map { "glibc.malloc.\($0)=\($1)" }.joined(separator: ":"),
        ]
        variables["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        return variables
    }

    /// Settings that make glibc's allocator return memory early; other allocators ignore them.
    ///
    /// One attachment at a time needs one arena, and each arena retains freed memory. Blocks of 64
    /// KiB and more are mapped separately and unmapped when freed. Thread caches are off, because
    /// trimming does not reach them: 0.5 MB in a warm worker (`bench/README.md`).
    private static let smallHeap: KeyValuePairs = [
        "arena_max": 1, "mmap_threshold": 64 << 10, "trim_threshold": 64 << 10,
        "top_pad": 4 << 10, "tcache_count": 0,
    ]

    /// Finds the programs where builds and installations put them.
    ///
    /// The result always has libvips' program, which may not exist.
    static func installedExecutables() -> [WorkerProgram: URL] {
        var found: [WorkerProgram: URL] = [:]
        for program in WorkerProgram.allCases {
            found[program] = InstalledProgram.url(named: program.rawValue)
        }
        return found
    }
}
