internal import AttachmentContainer
internal import AttachmentFootprint
package import AttachmentWorker
package import Foundation
internal import Subprocess
internal import SystemPackage

/// One run of a command, watched from its start to its end.
package struct CommandRun: Sendable {
    /// The program, by path or by name, and its arguments.
    package var arguments: [String]
    /// Variables set beside those inherited.
    package var environment: [String: String] = [:]
    /// The working folder, which the command may fill; its streams are kept there.
    package var folder: URL
    /// How long it may take.
    package var timeLimit: Duration = .seconds(60)
    /// The group that it is put in before it starts; nil for none.
    package var group: ControlGroup?
    /// The name of the processes that count; nil when all do.
    package var worker: String?

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - arguments: The program, by path or by name, and its arguments.
    ///   - folder: The working folder.
    package init(_ arguments: [String], in folder: URL) {
        self.arguments = arguments
        self.folder = folder
    }

    /// Runs the command to its end, or stops it at the time limit.
    ///
    /// Cancelling the task stops the command with all that it started.
    ///
    /// - Returns: What it took; a command that fails is a result like any other.
    /// - Throws: ``BenchmarkError`` when it cannot be started, or the task was cancelled.
    package func measure() async throws(BenchmarkError) -> Measurement {
        do {
            return try await launch()
        } catch let error as BenchmarkError {
            throw error
        } catch is CancellationError {
            throw .interrupted
        } catch {
            throw BenchmarkError("\(arguments.first ?? "") cannot be run: \(error)")
        }
    }

    private func launch() async throws -> Measurement {
        let words = (group?.launchPrefix ?? []) + arguments
        guard let program = words.first else { throw BenchmarkError("the command is empty") }
        var options = PlatformOptions()
        // A session of its own, so that Ctrl-C reaches the benchmark alone, which stops the rest.
        options.createSession = true
        let variables = Dictionary(
            environment.compactMap { name, value in
                Environment.Key(rawValue: name).map { ($0, String?.some(value)) }
            }, uniquingKeysWith: { first, _ in first })
        let before = ProcessorTime.ofChildren
        let start = ContinuousClock.now
        let result = try await run(
            program.contains("/") ? .path(FilePath(program)) : .name(program),
            arguments: Arguments(Array(words.dropFirst())),
            environment: .inherit.updating(variables),
            workingDirectory: FilePath(folder.path), platformOptions: options, input: .none,
            output: .fileDescriptor(try stream("output"), closeAfterSpawningProcess: true),
            error: .fileDescriptor(try stream("errors"), closeAfterSpawningProcess: true)
        ) { execution in
            let watch = TreeWatch(root: execution.processIdentifier.value, worker: worker)
            defer { watch.stop() }
            let isInTime = try await wait(for: watch, until: start + timeLimit)
            return (watch.peaks, watch.end ?? .now, isInTime)
        }
        let (peaks, end, isInTime) = result.closureResult
        return Measurement(
            ending: isInTime ? .init(result.terminationStatus) : .timedOut,
            peakFootprint: peaks.footprint, besidePeak: worker == nil ? nil : peaks.beside,
            maximumResident: peaks.resident, wall: (end - start) / .seconds(1),
            processor: ProcessorTime.ofChildren - before, kills: group?.counters.kills ?? 0,
            complaint: complaint)
    }

    /// Waits until the command has ended.
    ///
    /// - Returns: Whether it ended by itself.
    private func wait(
        for watch: TreeWatch, until deadline: ContinuousClock.Instant
    ) async throws -> Bool {
        do {
            while watch.end == nil {
                if ContinuousClock.now >= deadline {
                    await stop(watch)
                    return false
                }
                try await Task.sleep(for: .milliseconds(2))
            }
            // What the command left running would disturb the next.
            await stop(watch)
            return true
        } catch {
            await stop(watch)
            throw error
        }
    }

    /// Ends every process of the tree: asked first, so that those with groups of their own remove
    /// them, then killed.
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

    /// The last lines on standard error, as long as a table can bear.
    private var complaint: String {
        let text = try? String(
            decoding: Data(contentsOf: folder.appending(path: "errors")), as: UTF8.self)
        let line = (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            .split(separator: "\n").last
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
