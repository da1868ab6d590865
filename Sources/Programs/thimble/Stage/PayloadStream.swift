import Dispatch
import Foundation
import NotificationPayload
import NotificationStaging

/// Filters payloads from standard input to standard output, in order.
///
/// Several payloads are processed at once. Each is written as soon as all before it are. A sender
/// can therefore wait for each answer before it sends the next payload.
struct PayloadStream: Sendable {
    private let filter: PayloadFilter
    private let jobs: Int

    init(_ filter: PayloadFilter, jobs: Int) {
        self.filter = filter
        self.jobs = jobs
    }

    /// Filters until the input ends; returns the summary.
    ///
    /// Cancellation answers deliveries in progress at once. Everything that was read is still
    /// written.
    func run(_ tell: @escaping @Sendable (StageReport) -> Void) async -> StageSummary {
        let queue = PayloadFilter.Queue(jobs: jobs)
        Task {
            var splitter = PayloadSplitter()
            while let bytes = await Self.read() { await add(splitter.append(bytes), to: queue) }
            await add(splitter.finish(), to: queue)
            queue.finish()
        }
        return await withTaskCancellationHandler {
            // In a task of its own, because a cancelled task would not receive the remaining
            // results.
            await Task {
                var reports = ReportList(tell)
                while let result = await queue.next() {
                    Self.write(result.bytes)
                    result.reports.forEach { reports.add($0) }
                }
                return reports.finish()
            }.value
        } onCancel: {
            queue.cancel()
        }
    }

    /// Starts deliveries and passes on the bytes between payloads.
    private func add(_ pieces: [PayloadSplitter.Piece], to queue: PayloadFilter.Queue) async {
        var passed = PayloadFilter.Queue.Output()
        for piece in pieces {
            switch filter.step(piece) {
            case .done(let result): passed.append(result)
            case .delivery(let deliver):
                await queue.add(passed)
                passed = PayloadFilter.Queue.Output()
                await queue.add(deliver)
            }
        }
        await queue.add(passed)
    }

    /// The next bytes; nil at the end.
    ///
    /// Reads on a libdispatch thread, because blocking a thread of the task pool could stall all
    /// tasks.
    private static func read() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: StandardStream.read())
            }
        }
    }

    private static func write(_ bytes: [UInt8]) {
        StandardStream.write(bytes, to: STDOUT_FILENO)
    }

    /// Copies the input unchanged, when nothing can be processed.
    static func passThrough() async {
        while let bytes = await read() { write(bytes) }
    }
}
