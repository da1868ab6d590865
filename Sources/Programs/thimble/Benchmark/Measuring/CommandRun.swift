internal import AttachmentContainer
internal import AttachmentModel
internal import AttachmentWorker
internal import Foundation
internal import Subprocess
internal import SystemPackage

/// Runs a command and measures its memory.
struct CommandRun: Sendable {
    /// Program, by path or name, and arguments.
    var arguments: [String]
    /// Added to the inherited variables.
    var environment: [String: String] = [:]
    /// Working folder, also for the output streams.
    var folder: URL
    var timeLimit: Duration = .seconds(60)
    /// Group of the process; nil for none.
    var group: ControlGroup?
    /// Names of the measured processes, of which the largest counts; empty measures all together.
    var workers: [String] = []

    init(_ arguments: [String], in folder: URL) {
        self.arguments = arguments
        self.folder = folder
    }

    /// Runs the command, killing it at the time limit.
    ///
    /// Cancelling the task kills its process tree.
    func measure() async throws(BenchmarkError) -> Measurement {
        do {
            return try await launch()
        } catch let error as BenchmarkError {
            throw error
        } catch is CancellationError {
            throw .interrupted
        } catch {
            throw BenchmarkError("\(arguments.first ?? "") cannot be started: \(error)")
        }
    }

    private func launch() async throws -> Measurement {
        let words = (group?.launchPrefix ?? []) + arguments
        guard let program = words.first else { throw BenchmarkError("the command is empty") }
        var options = PlatformOptions()
        // In a session of its own, so that Ctrl-C reaches only the benchmark.
        options.createSession = true
        let variables = Dictionary(
            environment.compactMap { name, value in
                Environment.Key(rawValue: name).map { ($0, String?.some(value)) }
            }, uniquingKeysWith: { first, _ in first })
        let before = ProcessorTime.ofChildren
        let start = ContinuousClock.now
        let result = try await run(
            program.contains("/" as Character) ? .path(FilePath(program)) : .name(program),
            arguments: Arguments(Array(words.dropFirst())),
            environment: .inherit.updating(variables),
            workingDirectory: FilePath(folder.path), platformOptions: options, input: .none,
            output: .fileDescriptor(try stream("output"), closeAfterSpawningProcess: true),
            error: .fileDescriptor(try stream("errors"), closeAfterSpawningProcess: true)
        ) { execution in
            let watch = TreeWatch(root: execution.processIdentifier.value, workers: workers)
            defer { watch.stop() }
            let isInTime = try await wait(for: watch, until: start + timeLimit)
            return (watch.peaks, watch.longestPause, watch.end ?? .now, isInTime)
        }
        let (peaks, pause, end, isInTime) = result.closureResult
        var measurement = Measurement(
            ending: isInTime ? .init(result.terminationStatus) : .timedOut,
            peakFootprint: peaks.footprint, besidePeak: workers.isEmpty ? nil : peaks.beside,
            maximumResident: peaks.resident, wall: (end - start) / .seconds(1),
            processor: ProcessorTime.ofChildren - before, kills: group?.counters.kills ?? 0,
            complaint: complaint)
        measurement.isComplete = pause <= max(.milliseconds(8), (end - start) / 50)
        return measurement
    }

    /// Waits for the command.
    ///
    /// Returns false after the time limit.
    private func wait(
        for watch: TreeWatch, until deadline: ContinuousClock.Instant
    ) async throws -> Bool {
        do {
            while watch.end == nil {
                if ContinuousClock.now >= deadline {
                    await stop(watch)
                    return false
                }
                try await Deadline.sleep(for: .milliseconds(2))
            }
            // Processes left running would disturb the next run.
            await stop(watch)
            // On cancellation the command may be killed before this task notices.
            try Task.checkCancellation()
            return true
        } catch {
            await stop(watch)
            throw error
        }
    }

    /// Ends the process tree with SIGTERM, which lets processes remove their groups, then SIGKILL.
    private func stop(_ watch: TreeWatch) async {
        for signal in [SIGTERM, SIGKILL] {
            watch.processes.forEach { kill($0, signal) }
            for _ in 0..<200 where !watch.processes.isEmpty { usleep(5000) }
        }
    }

    private func stream(_ name: String) throws -> FileDescriptor {
        try FileDescriptor.open(
            FilePath(folder.appending(path: name).path), .writeOnly,
            options: [.create, .truncate], permissions: .ownerReadWrite)
    }

    /// The last line of standard error, shortened for a table.
    private var complaint: String {
        let text = try? String(
            decoding: Data(contentsOf: folder.appending(path: "errors")), as: UTF8.self)
        let line = (text ?? "").trimmed.split(separator: "\n").last
        return String((line ?? "").suffix(300))
    }
}

extension Measurement.Ending {
    fileprivate init(_ status: TerminationStatus) {
        self =
            switch status {
            case .exited(let code): .exited(code)
            case .signaled(let signal): .signalled(signal)
            }
    }
}
