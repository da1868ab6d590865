/// Outputs of payloads, in input order.
///
/// Bounded to a number of deliveries and 1 MiB of bytes passed on between them; adding more
/// suspends the caller. One task adds, one takes.
package actor OutputQueue<Report: Sendable> {
    package typealias Output = PayloadOutput<Report>

    /// A delivery's share of the number of deliveries at once.
    package struct Place: Sendable {
        fileprivate let number: Int
        fileprivate let queue: OutputQueue

        /// Lets another delivery begin, because this one needs no worker.
        package func giveBack() async { await queue.giveBack(number) }
    }

    private enum Entry {
        case passed(Output)
        case delivery(Task<Output, Never>, place: Int)
    }

    /// Maximum number of entries, with those that wait for others.
    private static var maximumEntries: Int { 1_024 }

    /// Limit on the bytes held behind a delivery in progress.
    private static var allowance: Int { 1 << 20 }

    /// In order; entries before `head` are already taken.
    private var entries: [Entry] = []
    private var head = 0
    private var freePlaces: Int
    /// The numbers of the deliveries that hold a place.
    private var held: Set<Int> = []
    private var places = 0
    private var passedBytes = 0
    private var isFinished = false
    private var isCancelled = false
    private var adding: CheckedContinuation<Void, Never>?
    private var taking: CheckedContinuation<Void, Never>?

    package init(jobs: Int) { freePlaces = jobs }

    /// True while no output is due.
    package var isIdle: Bool { head == entries.count && inProgress == nil }

    /// Adds bytes that are passed on unchanged.
    package func add(_ passed: Output) async {
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

    /// Starts a delivery once a place is free.
    package func add(_ deliver: @escaping @Sendable (Place) async -> Output) async {
        while freePlaces == 0 || entries.count - head >= Self.maximumEntries, !isFinished {
            await withCheckedContinuation { adding = $0 }
        }
        guard !isFinished else { return }
        freePlaces -= 1
        places += 1
        held.insert(places)
        let place = Place(number: places, queue: self)
        entries.append(.delivery(Task { await deliver(place) }, place: places))
        wake(&taking)
    }

    private func giveBack(_ place: Int) {
        guard held.remove(place) != nil else { return }
        freePlaces += 1
        wake(&adding)
    }

    /// The next output; nil at the end.
    package func next() async -> Output? {
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
        case .delivery(let task, let place):
            if isCancelled { task.cancel() }
            inProgress = task
            defer {
                inProgress = nil
                giveBack(place)
            }
            return await task.value
        }
    }

    /// The delivery that `next()` awaits.
    private var inProgress: Task<Output, Never>?

    /// Ends the queue after the entries added so far.
    package func finish() {
        isFinished = true
        wake(&adding)
        wake(&taking)
    }

    /// Ends the queue and cancels the deliveries in progress, which then answer at once.
    package func cancel() {
        isCancelled = true
        inProgress?.cancel()
        for case .delivery(let task, _) in entries[head...] { task.cancel() }
        finish()
    }

    private func wake(_ waiting: inout CheckedContinuation<Void, Never>?) {
        waiting?.resume()
        waiting = nil
    }
}
