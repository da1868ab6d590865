internal import AttachmentContainer

/// Outputs of payloads, in input order.
///
/// Bounded to a number of deliveries and 1 MiB of bytes passed on between them; adding more
/// suspends the caller. One task adds, one takes.
public final class OutputQueue<Report: Sendable>: Sendable {
    /// Bytes with their reports.
    public typealias Output = PayloadOutput<Report>

    /// A delivery's share of the number of deliveries at once.
    public struct Place: Sendable {
        fileprivate let number: Int
        fileprivate let queue: OutputQueue

        /// Lets another delivery begin, because this one needs no worker.
        public func giveBack() { queue.line.update { $0.giveBack(number) } }
    }

    private let line: WaitingLine<OutputRoom<Report>>

    /// Creates a queue.
    ///
    /// - Parameter jobs: Number of deliveries at once.
    public init(jobs: Int) { line = WaitingLine(OutputRoom(places: jobs)) }

    /// True while no output is due.
    public var isIdle: Bool { line.read(\.isIdle) }

    /// Adds bytes that are passed on unchanged.
    public func add(_ passed: Output) async {
        guard !passed.bytes.isEmpty else { return }
        _ = await answer(.passed(passed))
    }

    /// Starts a delivery once a place is free.
    public func add(_ deliver: @escaping @Sendable (Place) async -> Output) async {
        _ = await answer(
            .delivery { number in
                Task { [self] in await deliver(Place(number: number, queue: self)) }
            })
    }

    /// The next output; nil at the end.
    public func next() async -> Output? {
        switch await answer(.next) {
        case .passed(let output): return output
        case .delivery(let task, let place):
            defer { line.update { $0.end(place) } }
            return await task.value
        case nil: return nil
        }
    }

    /// Ends the queue after the entries added so far.
    public func finish() { line.update { $0.isFinished = true } }

    /// Ends the queue and cancels the deliveries in progress, which then answer at once.
    public func cancel() {
        let tasks = line.update { room in
            room.isFinished = true
            return room.tasks
        }
        for task in tasks { task.cancel() }
    }

    /// Answers a request even when the task is cancelled, so that everything read is written.
    private func answer(_ request: OutputRoom<Report>.Request) async -> OutputRoom<Report>.Entry? {
        (try? await line.take(request, isCancellable: false)) ?? nil
    }
}

/// The entries of an ``OutputQueue`` with the limits on them.
private struct OutputRoom<Report: Sendable>: WaitingResource {
    typealias Output = PayloadOutput<Report>

    enum Entry: Sendable {
        case passed(Output)
        case delivery(Task<Output, Never>, place: Int)
    }

    enum Request: Sendable {
        case passed(Output)
        /// Starts the delivery with the number of its place.
        case delivery(@Sendable (Int) -> Task<Output, Never>)
        case next
    }

    enum Lane { case adding, taking }

    /// Maximum number of entries, with those that wait for others.
    private static var maximumEntries: Int { 1_024 }

    /// Limit on the bytes held behind a delivery in progress.
    private static var allowance: Int { 1 << 20 }

    /// Later entries are dropped.
    var isFinished = false
    private var entries = FIFO<Entry>()
    private var freePlaces: Int
    /// The numbers of the deliveries that hold a place.
    private var held: Set<Int> = []
    private var lastPlace = 0
    private var passedBytes = 0
    /// The delivery that was taken and has not ended.
    private var inProgress: Task<Output, Never>?

    init(places: Int) { freePlaces = places }

    var isIdle: Bool { entries.isEmpty && inProgress == nil }

    /// The deliveries in progress.
    var tasks: [Task<Output, Never>] {
        let waiting = entries.all.compactMap { entry -> Task<Output, Never>? in
            if case .delivery(let task, _) = entry { task } else { nil }
        }
        return [inProgress].compactMap(\.self) + waiting
    }

    func lane(of request: Request) -> Lane {
        if case .next = request { .taking } else { .adding }
    }

    mutating func answer(_ request: Request) -> WaitingAnswer<Entry?, Never> {
        switch request {
        case .next: return next()
        case _ where isFinished: return .granted(nil)
        case .passed(let output):
            guard passedBytes <= Self.allowance else { return .laneWaits }
            add(output)
        case .delivery(let start):
            guard freePlaces > 0, entries.count < Self.maximumEntries else { return .laneWaits }
            freePlaces -= 1
            lastPlace += 1
            held.insert(lastPlace)
            entries.append(.delivery(start(lastPlace), place: lastPlace))
        }
        return .granted(nil)
    }

    private mutating func add(_ output: Output) {
        passedBytes += output.bytes.count
        guard case .passed(var result) = entries.last else {
            return entries.append(.passed(output))
        }
        entries.removeLast()
        result.append(output)
        entries.append(.passed(result))
    }

    private mutating func next() -> WaitingAnswer<Entry?, Never> {
        guard let entry = entries.removeFirst() else {
            return isFinished ? .granted(nil) : .laneWaits
        }
        switch entry {
        case .passed(let output): passedBytes -= output.bytes.count
        case .delivery(let task, _): inProgress = task
        }
        return .granted(entry)
    }

    mutating func giveBack(_ place: Int) {
        if held.remove(place) != nil { freePlaces += 1 }
    }

    /// Ends the delivery that was taken.
    mutating func end(_ place: Int) {
        inProgress = nil
        giveBack(place)
    }
}
