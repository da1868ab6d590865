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
        let (tasks, continuation) = AsyncStream.makeStream(
            of: Task<PayloadFilter.Result, Never>.self)
        let underWay = UnderWay(atMost: jobs)
        Task {
            var splitter = PayloadSplitter()
            while let bytes = await Self.read() {
                for piece in splitter.append(bytes) { await begin(piece) }
            }
            for piece in splitter.finish() { await begin(piece) }
            continuation.finish()
        }
        @Sendable func begin(_ piece: PayloadSplitter.Piece) async {
            await underWay.enter()
            let task = Task { await filter(piece) }
            await underWay.add(task)
            continuation.yield(task)
        }
        return await withTaskCancellationHandler {
            // A task of its own: a cancelled one would not get what is still to be written.
            await Task {
                var failures = 0
                for await task in tasks {
                    let result = await task.value
                    Self.write(result.bytes)
                    if let report = result.report {
                        tell(report)
                        if report.isFailure { failures += 1 }
                    }
                    await underWay.leave()
                }
                return failures
            }.value
        } onCancel: {
            continuation.finish()
            Task { await underWay.cancel() }
        }
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

/// The payloads that are under way, in the order in which they came.
private actor UnderWay {
    private var free: Int
    private var waiting: CheckedContinuation<Void, Never>?
    private var tasks: [Task<PayloadFilter.Result, Never>] = []
    private var isCancelled = false

    init(atMost count: Int) { free = count }

    /// Waits for a place; only one waits at a time.
    func enter() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting = $0 }
    }

    func add(_ task: Task<PayloadFilter.Result, Never>) {
        tasks.append(task)
        if isCancelled { task.cancel() }
    }

    /// Gives back the place of the one that has waited longest.
    func leave() {
        if !tasks.isEmpty { tasks.removeFirst() }
        guard let waiting else {
            free += 1
            return
        }
        self.waiting = nil
        waiting.resume()
    }

    func cancel() {
        isCancelled = true
        for task in tasks { task.cancel() }
    }
}
