internal import AttachmentContainer
internal import Foundation
internal import Subprocess
internal import SystemPackage

/// Measures the footprint of one warm worker over many attachments.
struct FlatRun: Sendable {
    let thimble: URL
    /// Folder of the original pictures.
    let pictures: URL
    let count: Int
    /// Temporary folder, removed after the run.
    let scratch: URL

    /// Attachments per window of the series.
    static let window = 100
    /// Process names of workers.
    private static let workers = ["thimble-worker", "thimble-row-worker"]
    /// Smaller than the pictures, so that each is decoded and encoded instead of copied.
    private static let settings = ["--width", "200", "--scale", "2", "--jobs", "1"]

    /// Creates the attachments, runs the batch and records the worker's footprint per window.
    func measure(
        report: @escaping @Sendable (Int) -> Void
    ) async throws(BenchmarkError) -> FlatSeries {
        defer { try? FileManager.default.removeItem(at: scratch) }
        do {
            let folder = scratch.appending(path: "attachments", directoryHint: .isDirectory)
            try makeAttachments(in: folder)
            return try await measureBatch(folder, report: report)
        } catch let error as BenchmarkError {
            throw error
        } catch is CancellationError {
            throw .interrupted
        } catch {
            throw BenchmarkError("the batch cannot be measured: \(error)")
        }
    }

    /// Copies the pictures in turn, appending unique bytes.
    ///
    /// Decoders ignore these, but the digests differ, so no attachment is recognised as already
    /// processed.
    private func makeAttachments(in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let names = try BenchmarkFile.names(in: pictures)
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

    private func measureBatch(
        _ folder: URL, report: @escaping @Sendable (Int) -> Void
    ) async throws -> FlatSeries {
        let container = scratch.appending(path: "container").path
        var options = PlatformOptions()
        options.createSession = true
        // The batch ends its workers itself when it is cancelled.
        options.teardownSequence = [
            .send(signal: .terminate, allowedDurationToNextStep: .seconds(5))
        ]
        let result = try await run(
            .path(FilePath(thimble.path)),
            arguments: Arguments(["batch", folder.path, "--container", container] + Self.settings),
            platformOptions: options, input: .none, output: .discarded, error: .sequence
        ) { execution in
            let watch = TreeWatch(root: execution.processIdentifier.value, workers: Self.workers)
            defer { watch.stop() }
            var series = FlatSeries(attachments: count)
            var done = 0
            for try await line in execution.standardError.strings() where line.hasPrefix("[") {
                done += 1
                if line.firstRange(of: "] failed: ") != nil { series.failed += 1 }
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
                "the batch exited with \(result.terminationStatus), \(series.failed) failed")
        }
        guard series.windows.count > 2 else {
            throw BenchmarkError("no worker was seen long enough")
        }
        return series
    }
}
