import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import AttachmentWorker
import Foundation
import Logging
import ServiceOptions
import WorkerProtocol

/// The mechanism that enforces the cap, and the memory of all workers.
struct CapCheck: Checking {
    let configuration: ServiceConfiguration

    func diagnoses() async -> [Diagnosis] { [mechanism(), memory()] }

    private func mechanism() -> Diagnosis {
        let cap = configuration.renditions.cap
        do throws(EnforcementError) {
            let mechanism = try HardCap(cap, by: configuration.workers.enforcement).mechanism
            let found = "\(mechanism.rawValue) enforces \(cap)"
            switch mechanism {
            case .controlGroup1, .controlGroup2: return .ok("cap", found)
            case .dataLimit where configuration.workers.enforcement == .rlimit:
                return .ok("cap", found)
            case .dataLimit:
                return .warning(
                    "cap", "\(found), and refuses pictures that fit it in a control group",
                    remedy: "delegate the memory controller, as by Delegate=yes in the unit")
            case .monitor:
                return .warning(
                    "cap", "\(found), and misses short peaks", remedy: "choose --enforce auto")
            }
        } catch {
            return .failed(
                "cap",
                "the enforcement \(error.enforcement.rawValue) is unavailable: \(error.reason)",
                remedy: error.remedy)
        }
    }

    private func memory() -> Diagnosis {
        let jobs = configuration.jobCount
        let needed = ByteCount(jobs * configuration.renditions.cap.footprint.bytes)
        let found = "\(jobs) workers take at most \(needed)"
        guard let available = AvailableMemory.current() else { return .ok("memory", found) }
        guard available >= needed else {
            return .warning(
                "memory", "\(found), and only \(available) are available",
                remedy: "lower --jobs or --cap, or give the service more memory")
        }
        return .ok("memory", "\(found) of \(available)")
    }
}

/// A worker, which processes a small picture under the cap, and its sandbox.
struct WorkerCheck: Checking {
    let configuration: ServiceConfiguration
    /// `automatic` has the picture processed by rows, without libvips.
    let engine: ProcessingSettings.EngineChoice
    let scratch: ScratchContainer

    private static let rows = "thimble-row-worker"
    private static let logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }

    private var program: String { engine == .libvips ? "thimble-worker" : Self.rows }

    func diagnoses() async -> [Diagnosis] {
        var settings = configuration.settings
        settings.engine = engine
        guard let container = scratch.makeContainer(named: program) else {
            return [
                .failed(
                    "worker", "there is no room for a picture",
                    remedy: "free some space in the folder of temporary files")
            ]
        }
        let pool: WorkerPool
        do throws(WorkerPoolError) {
            pool = try WorkerPool(
                settings: settings, container: container, workers: 1,
                enforcement: configuration.workers.enforcement,
                timeout: .seconds(configuration.workers.timeout),
                sandbox: configuration.workers.sandbox, logger: Self.logger)
        } catch {
            return [failure(error)]
        }
        guard engine == .libvips || pool.programs.contains(Self.rows) else {
            await pool.close()
            return [
                .warning(
                    "worker", "\(program) is not installed, so libvips processes everything",
                    remedy: "install \(program) where thimble-worker is")
            ]
        }
        let results: [Diagnosis]
        do throws(WorkerPoolError) {
            try await pool.warmUp()
            results = [await process(in: pool)]
        } catch {
            results = [failure(error)]
        }
        let sandbox = pool.sandbox
        await pool.close()
        return results + (sandbox.map { [.sandbox(of: program, $0)] } ?? [])
    }

    private func process(in pool: WorkerPool) async -> Diagnosis {
        let path = pool.container.root.appending(path: "sample.jpg").path
        let begun = ContinuousClock.now
        do {
            try SamplePicture.bytes.write(to: URL(fileURLWithPath: path))
            let done = try await pool.process(
                AttachmentRequest(path: path, identifier: program, deadline: begun + .seconds(20)))
            let milliseconds = Int(begun.duration(to: .now) / .milliseconds(1))
            return .ok(
                "worker",
                "\(program) made \(done.manifest.renditions.count) renditions under "
                    + "\(configuration.renditions.cap) in \(milliseconds) ms")
        } catch let error as AttachmentError {
            return .failed("worker", "\(program): \(error.reason)", remedy: error.fault.remedy)
        } catch {
            return .failed(
                "worker", "the sample picture cannot be written",
                remedy: "free some space in the folder of temporary files")
        }
    }

    private func failure(_ error: WorkerPoolError) -> Diagnosis {
        switch error {
        case .settings(let error):
            .failed("worker", "\(program): \(error)", remedy: "correct the option")
        case .enforcement(let error):
            .failed("worker", "\(program): no cap is enforced", remedy: error.remedy)
        case .noExecutable:
            .failed("worker", error.fault.reason, remedy: error.fault.remedy)
        case .notReady(let fault):
            .failed("worker", "\(program) does not start: \(fault.reason)", remedy: fault.remedy)
        }
    }
}

extension Diagnosis {
    /// Completeness of the sandbox that a process of `program` has entered.
    static func sandbox(of program: String, _ report: SandboxReport) -> Self {
        guard report.mode != .off else {
            return .warning(
                "sandbox", "\(program) has none", remedy: "choose --sandbox auto or require")
        }
        guard report.isComplete else {
            return .warning(
                "sandbox", "\(program) runs \(report.summary)",
                remedy:
                    "use Linux 5.13 or later with Landlock, and let unit or container allow its "
                    + "system calls and seccomp")
        }
        return .ok("sandbox", "\(program): complete")
    }
}

/// A JPEG of 48 by 32 pixels, which both workers process.
private enum SamplePicture {
    static var bytes: Data { Data(base64Encoded: text) ?? Data() }

    private static let text =
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAA0JCgsKCA0LCgsODg0PEyAVExISEyccHhcgLikxMC4pLSwzOko+"
        + "MzZGNywtQFdBRkxOUlNSMj5aYVpQYEpRUk//2wBDAQ4ODhMREyYVFSZPNS01T09PT09PT09PT09PT09PT09P"
        + "T09PT09PT09PT09PT09PT09PT09PT09PT09PT09PT0//wAARCAAgADADASIAAhEBAxEB/8QAFgABAQEAAAAA"
        + "AAAAAAAAAAAAAwQF/8QAFRABAQAAAAAAAAAAAAAAAAAAAgD/xAAWAQEBAQAAAAAAAAAAAAAAAAAFBAb/xAAW"
        + "EQADAAAAAAAAAAAAAAAAAAAAAgP/2gAMAwEAAhEDEQA/AM8iUiQiQiVs5NFwyJCJSJCIuzikXCIkIlIkIi7O"
        + "KxcjIkIkIlIn7OYqLhESESkSERdnFYuGRIRIRIRF2cUi5//Z"
}
