/// The results of payloads in the order in which the payloads came.
///
/// It holds at most a number of deliveries and 1 MiB of what is passed on between them; whoever adds
/// more waits. One task adds, one takes.
actor OutputQueue {
    private enum Entry {
        case passed(PayloadFilter.Result)
        case delivery(Task<PayloadFilter.Result, Never>)
    }

    /// What is passed on at most while an earlier delivery is under way.
    private static let allowance = 1 << 20

    /// In order; those before `head` were taken.
    private var entries: [Entry] = []
    private var head = 0
    private var freePlaces: Int
    private var passedBytes = 0
    private var isFinished = false
    private var isCancelled = false
    /// The task that waits for room.
    private var adding: CheckedContinuation<Void, Never>?
    /// The task that waits for an entry.
    private var taking: CheckedContinuation<Void, Never>?

    /// Makes an empty queue.
    ///
    /// - Parameter jobs: The most deliveries under way.
    init(jobs: Int) { freePlaces = jobs }

    /// Adds what is passed on as it is.
    func add(_ passed: PayloadFilter.Result) async {
        guard !passed.bytes.isEmpty else { return }
        while passedBytes > Self.allowance, !isFinished {
            await withCheckedContinuation { adding = $0 }
        }
        guard !isFinished else { return }
        passedBytes += passed.bytes.count
        if head < entries.count, case .passed(var result) = entries[entries.count - 1] {
            entries.removeLast()
            result.append(passed)
            entries.append(.passed(result))
        } else {
            entries.append(.passed(passed))
        }
        wake(&taking)
    }

    /// Begins a delivery, once there is a place for it.
    func add(_ deliver: @escaping @Sendable () async -> PayloadFilter.Result) async {
        while freePlaces == 0, !isFinished { await withCheckedContinuation { adding = $0 } }
        guard !isFinished else { return }
        freePlaces -= 1
        entries.append(.delivery(Task { await deliver() }))
        wake(&taking)
    }

    /// The next result; nil at the end.
    func next() async -> PayloadFilter.Result? {
        while head == entries.count {
            if isFinished { return nil }
            await withCheckedContinuation { taking = $0 }
        }
        let entry = entries[head]
        head += 1
        if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
        }
        defer { wake(&adding) }
        switch entry {
        case .passed(let result):
            passedBytes -= result.bytes.count
            return result
        case .delivery(let task):
            if isCancelled { task.cancel() }
            underWay = task
            defer {
                underWay = nil
                freePlaces += 1
            }
            return await task.value
        }
    }

    /// The delivery that is waited for.
    private var underWay: Task<PayloadFilter.Result, Never>?

    /// Ends the queue behind what was added.
    func finish() {
        isFinished = true
        wake(&adding)
        wake(&taking)
    }

    /// Ends the queue, and has the deliveries under way answered at once.
    func cancel() {
        isCancelled = true
        underWay?.cancel()
        for case .delivery(let task) in entries[head...] { task.cancel() }
        finish()
    }

    private func wake(_ waiting: inout CheckedContinuation<Void, Never>?) {
        waiting?.resume()
        waiting = nil
    }
}

/// The reports of a stream, with those of refused lines in succession made one.
struct ReportList {
    private let tell: (StageReport) -> Void
    /// A report of several lines that may go on.
    private var open: StageReport?
    private var failures = 0

    /// Begins without a report.
    ///
    /// - Parameter tell: Told of every report, in order.
    init(_ tell: @escaping (StageReport) -> Void) { self.tell = tell }

    mutating func add(_ report: StageReport) {
        if report.lastLine != nil, open != nil {
            open?.lastLine = report.lastLine
            return
        }
        close()
        if report.lastLine == nil { say(report) } else { open = report }
    }

    /// Ends the list.
    ///
    /// - Returns: How many reports are failures.
    mutating func finish() -> Int {
        close()
        return failures
    }

    private mutating func close() {
        if let open { say(open) }
        open = nil
    }

    private mutating func say(_ report: StageReport) {
        tell(report)
        if report.isFailure { failures += 1 }
    }
}
