import Dispatch
import Foundation
import NotificationPayload

/// Standard input to standard output, payload by payload, in order.
///
/// Several payloads are under way at once; each goes out as soon as all before it have, so that a
/// sender who waits for an answer before it sends more gets it.
struct PayloadStream: Sendable {
    private let filter: PayloadFilter
    private let jobs: Int

    /// Makes a stream.
    ///
    /// - Parameters:
    ///   - filter: What becomes of a payload.
    ///   - jobs: How many are under way at once.
    init(_ filter: PayloadFilter, jobs: Int) {
        self.filter = filter
        self.jobs = jobs
    }

    /// Filters until the input ends.
    ///
    /// When the task is cancelled, what is under way is answered at once, and what was read comes out.
    ///
    /// - Parameter tell: Told of every payload, in order.
    /// - Returns: How many payloads did not get what was asked for.
    func run(_ tell: @escaping @Sendable (StageReport) -> Void) async -> Int {
        let queue = OutputQueue(jobs: jobs)
        Task {
            var splitter = PayloadSplitter()
            while let bytes = await Self.read() { await add(splitter.append(bytes), to: queue) }
            await add(splitter.finish(), to: queue)
            await queue.finish()
        }
        return await withTaskCancellationHandler {
            // A task of its own: a cancelled one would not get what is still to be written.
            await Task {
                var reports = ReportList(tell)
                while let result = await queue.next() {
                    Self.write(result.bytes)
                    result.reports.forEach { reports.add($0) }
                }
                return reports.finish()
            }.value
        } onCancel: {
            Task { await queue.cancel() }
        }
    }

    /// Begins with the payloads of some pieces, and passes on what lies between them.
    private func add(_ pieces: [PayloadSplitter.Piece], to queue: OutputQueue) async {
        var passed = PayloadFilter.Result()
        for piece in pieces {
            switch filter.step(piece) {
            case .done(let result): passed.append(result)
            case .delivery(let deliver):
                await queue.add(passed)
                passed = PayloadFilter.Result()
                await queue.add(deliver)
            }
        }
        await queue.add(passed)
    }

    /// The next bytes; nil at the end.
    ///
    /// A read blocks its thread, which must be none of the tasks.
    private static func read() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var bytes = [UInt8](repeating: 0, count: 65_536)
                var count: Int
                repeat {
                    count = bytes.withUnsafeMutableBytes {
                        Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count)
                    }
                } while count < 0 && errno == EINTR
                continuation.resume(returning: count > 0 ? Array(bytes.prefix(count)) : nil)
            }
        }
    }

    /// Writes everything; who reads may have gone, which loses nothing that anybody wants.
    static func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Passes everything on as it came: what there is to do when nothing else can be done.
    static func passThrough() async {
        while let bytes = await read() { write(bytes) }
    }
}
