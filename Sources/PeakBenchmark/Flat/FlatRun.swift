internal import AttachmentContainer
package import Foundation
internal import Subprocess
internal import SystemPackage

/// Feeds many attachments to one warm worker and follows its footprint.
package struct FlatRun: Sendable {
    /// The program under test.
    package let thimble: URL
    /// The pictures that attachments are copies of.
    package let pictures: URL
    /// How many attachments there are.
    package let count: Int
    /// A folder for attachments and container; it is removed when the run has ended.
    package let scratch: URL

    /// How many attachments a window of the series holds.
    package static let window = 100
    /// The name of the process that does the work.
    private static let worker = "thimble-worker"
    /// Smaller than the pictures, so that each is decoded and encoded, not kept as it is.
    private static let settings = ["--width", "200", "--scale", "2", "--jobs", "1"]

    /// Makes a run.
    ///
    /// - Parameters:
    ///   - thimble: The program under test.
    ///   - pictures: A folder of pictures of at least 600 pixels.
    ///   - count: How many attachments there are.
    ///   - scratch: A folder that does not exist yet.
    package init(thimble: URL, pictures: URL, count: Int, scratch: URL) {
        self.thimble = thimble
        self.pictures = pictures
        self.count = count
        self.scratch = scratch
    }

    /// Makes the attachments, runs the batch and looks at the worker at each window's end.
    ///
    /// - Parameter report: Called with the number of attachments done.
    /// - Returns: The series.
    /// - Throws: ``BenchmarkError`` when the batch fails, or the task was cancelled.
    package func measure(
        report: @escaping @Sendable (Int) -> Void
    ) async throws(BenchmarkError) -> FlatSeries {
        defer { try? FileManager.default.removeItem(at: scratch) }
        do {
            let folder = scratch.appending(path: "attachments", directoryHint: .isDirectory)
            try makeAttachments(in: folder)
            return try await follow(folder, report: report)
        } catch let error as BenchmarkError {
            throw error
        } catch is CancellationError {
            throw .interrupted
        } catch {
            throw BenchmarkError("the batch cannot be followed: \(error)")
        }
    }

    /// Copies the pictures in turn, each with bytes of its own behind its end, where decoders do
    /// not look and digests do: no attachment is recognised as one that was done before.
    private func makeAttachments(in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = try BenchmarkFile.all(in: pictures).map(\.name)
        let originals = try names.map { try Data(contentsOf: pictures.appending(path: $0)) }
        for number in 0..<count {
            try Task.checkCancellation()
            let place = number % names.count
            let digits = "\(number)"
            let name = String(repeating: "0", count: 6 - digits.count) + digits + "-"
            try (originals[place] + Data(digits.utf8))
                .write(to: folder.appending(path: name + names[place]))
        }
    }

    private func follow(
        _ folder: URL, report: @escaping @Sendable (Int) -> Void
    ) async throws -> FlatSeries {
        let container = scratch.appending(path: "container").path
        var options = PlatformOptions()
        options.createSession = true
        // The batch ends its workers itself when it is asked to stop.
        options.teardownSequence = [
            .send(signal: .terminate, allowedDurationToNextStep: .seconds(5))
        ]
        let result = try await run(
            .path(FilePath(thimble.path)),
            arguments: Arguments(["batch", folder.path, "--container", container] + Self.settings),
            platformOptions: options, input: .none, output: .discarded, error: .sequence
        ) { execution in
            let watch = TreeWatch(root: execution.processIdentifier.value, worker: Self.worker)
            defer { watch.stop() }
            var series = FlatSeries(attachments: count)
            var done = 0
            for try await line in execution.standardError.strings() where line.hasPrefix("[") {
                done += 1
                if line.contains("] failed: ") { series.failed += 1 }
                report(done)
                if done.isMultiple(of: Self.window), let window = watch.nextWindow() {
                    series.windows.append(
                        FlatSeries.Window(
                            attachments: done, least: window.least, most: window.most))
                }
            }
            series.workers = watch.countedProcesses
            return series
        }
        let series = result.closureResult
        guard result.terminationStatus.isSuccess, series.failed == 0 else {
            throw BenchmarkError(
                "the batch ended with \(result.terminationStatus), \(series.failed) failed")
        }
        guard series.windows.count > 2 else {
            throw BenchmarkError("no process \(Self.worker) was seen long enough")
        }
        return series
    }
}
