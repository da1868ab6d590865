import AttachmentContainer

/// The places of a pool, granted in order of request, and its idle workers.
final class WorkerRoster: Sendable {
    typealias Failure = WaitingFailure<WorkerPlaces.Closed>

    private let line: WaitingLine<WorkerPlaces>
    private let threads: DecodingThreads
    private let cores: Int

    /// `cores` is the number of cores that `threads` shares out.
    init(places: Int, threads: DecodingThreads, cores: Int) {
        line = WaitingLine(WorkerPlaces(places))
        (self.threads, self.cores) = (threads, cores)
    }

    /// Threads for the next attachment.
    func takeThreads() -> Int {
        line.update { places in
            let count = threads.count(beside: places.threads, cores: cores)
            places.threads += count
            return count
        }
    }

    func giveBack(threads count: Int) { line.update { $0.threads -= count } }

    /// Waits for a place, as ``take(_:until:mayExceed:)``; the next ones are granted after
    /// ``endWarmUp()``, so that they find the worker that is starting.
    func beginWarmUp(_ program: WorkerProgram) async throws(Failure) -> Worker? {
        let worker = try await take(program)
        line.update { $0.isWarmingUp = true }
        return worker
    }

    func endWarmUp() { line.update { $0.isWarmingUp = false } }

    /// Waits for a place; returns an idle worker of the program, if any.
    ///
    /// `mayExceed` grants one place more than there are, instead of waiting. A place has at most
    /// one busy worker, and keeps an idle one of each program.
    func take(
        _ program: WorkerProgram, until deadline: ContinuousClock.Instant? = nil,
        mayExceed: Bool = false
    ) async throws(Failure) -> Worker? {
        try await line.take(.init(program: program, mayExceed: mayExceed), until: deadline)
    }

    func giveBack(_ worker: Worker?) {
        line.update { $0.giveBack(worker) }?.kill(.withdrawn)
    }

    /// Refuses all later requests; returns the idle workers.
    func close() -> [Worker] {
        line.update { places in
            places.isClosed = true
            defer { places.idle = [] }
            return places.idle
        }
    }
}

/// The places of a ``WorkerRoster``.
struct WorkerPlaces: WaitingResource {
    struct Request {
        let program: WorkerProgram
        let mayExceed: Bool
    }

    struct Closed: Error {}

    /// Number of free places; −1 while one worker more than there are places is in use.
    private(set) var free: Int
    var idle: [Worker] = []
    var isClosed = false
    /// True while the first worker starts in advance.
    var isWarmingUp = false
    /// Threads of all attachments that workers decode.
    var threads = 0

    init(_ count: Int) { free = count }

    /// Requests that may exceed the places do not wait behind others.
    func lane(of request: Request) -> Bool { request.mayExceed }

    mutating func answer(_ request: Request) -> WaitingAnswer<Worker?, Closed> {
        if isClosed { return .refused(Closed()) }
        guard (free > 0 && !isWarmingUp) || (free >= 0 && request.mayExceed) else {
            return .laneWaits
        }
        free -= 1
        return .granted(
            idle.lastIndex { $0.program == request.program }.map { idle.remove(at: $0) })
    }

    /// Returns a worker that is no longer needed.
    mutating func giveBack(_ worker: Worker?) -> Worker? {
        let isKept = free >= 0 && !isClosed
        free += 1
        guard isKept, let worker else { return worker }
        idle.append(worker)
        return nil
    }
}
