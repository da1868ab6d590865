/// Answers of a stream's payloads, in the order of the payloads.
///
/// Bounded to a number of payloads in work, and 1 MiB of bytes passed on between them; adding more
/// suspends the caller. One task adds, one takes.
actor AnswerQueue {
    private enum Entry {
        case passed([UInt8])
        case work(Task<[UInt8], Never>)
    }

    /// Limit on the bytes held behind work in progress.
    private static let allowance = 1 << 20

    private var entries: [Entry] = []
    private var freePlaces: Int
    private var passedBytes = 0
    private var isFinished = false
    private var adding: CheckedContinuation<Void, Never>?
    private var taking: CheckedContinuation<Void, Never>?
    private var inProgress: Task<[UInt8], Never>?
    private(set) var lastChange = ContinuousClock.now

    init(jobs: Int) { freePlaces = jobs }

    /// True while no answer is due.
    var isIdle: Bool { entries.isEmpty && inProgress == nil }

    func add(passing bytes: [UInt8]) async {
        while passedBytes > Self.allowance, !isFinished {
            await withCheckedContinuation { adding = $0 }
        }
        guard !isFinished, !bytes.isEmpty else { return }
        passedBytes += bytes.count
        entries.append(.passed(bytes))
        wake(&taking)
    }

    /// Starts work once a place is free.
    func add(_ work: @escaping @Sendable () async -> [UInt8]) async {
        while freePlaces == 0, !isFinished { await withCheckedContinuation { adding = $0 } }
        guard !isFinished else { return }
        freePlaces -= 1
        entries.append(.work(Task { await work() }))
        wake(&taking)
    }

    /// The next answer; nil at the end.
    func next() async -> [UInt8]? {
        while entries.isEmpty {
            if isFinished { return nil }
            await withCheckedContinuation { taking = $0 }
        }
        let entry = entries.removeFirst()
        lastChange = .now
        defer { wake(&adding) }
        switch entry {
        case .passed(let bytes):
            passedBytes -= bytes.count
            return bytes
        case .work(let task):
            inProgress = task
            defer {
                inProgress = nil
                freePlaces += 1
                lastChange = .now
            }
            return await task.value
        }
    }

    /// Ends the queue after the entries added so far.
    func finish() {
        isFinished = true
        wake(&adding)
        wake(&taking)
    }

    /// Ends the queue and cancels the work in progress, which then answers at once.
    func cancel() {
        inProgress?.cancel()
        for case .work(let task) in entries { task.cancel() }
        finish()
    }

    private func wake(_ waiting: inout CheckedContinuation<Void, Never>?) {
        waiting?.resume()
        waiting = nil
    }
}
