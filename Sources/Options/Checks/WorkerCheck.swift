import AttachmentContainer
public import AttachmentModel
import AttachmentPublishing
import AttachmentWorker
import Foundation
import Logging
import WorkerProtocol

/// A worker, which processes a small picture under the cap, and its sandbox.
public struct WorkerCheck: Checking {
    private let settings: ProcessingSettings
    private let workers: WorkerChoices
    private let scratch: ScratchContainer

    private static let rows = "thimble-row-worker"
    private static let logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }

    /// Checks the worker with libvips, or the one without it.
    public init(
        _ settings: ProcessingSettings, _ workers: WorkerChoices, withLibvips: Bool,
        in scratch: ScratchContainer
    ) {
        var settings = settings
        settings.engine = withLibvips ? .libvips : .automatic
        (self.settings, self.workers, self.scratch) = (settings, workers, scratch)
    }

    private var engine: ProcessingSettings.EngineChoice { settings.engine }

    private var program: String { engine == .libvips ? "thimble-worker" : Self.rows }

    /// The results of the trial.
    public func diagnoses() async -> [Diagnosis] {
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
                enforcement: workers.enforcement,
                timeout: .seconds(workers.timeout),
                sandbox: workers.sandbox, logger: Self.logger)
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
                    + "\(settings.cap) in \(milliseconds) ms")
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
