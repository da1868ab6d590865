import AttachmentContainer

/// Places for attachments in work, and a bounded queue before them, in order of arrival.
///
/// The bound holds for number and bytes. Work that is already counted elsewhere, such as a
/// stream's, waits outside the bound.
final class WorkQueue: Sendable {
    enum Refusal: Error {
        case full(retryAfter: Int)
        case late
        case cancelled
    }

    private let line: WaitingLine<WorkPlaces>

    init(places: Int, maximum: Int, maximumBytes: ByteCount) {
        line = WaitingLine(
            WorkPlaces(places: places, maximum: maximum, maximumBytes: maximumBytes.bytes))
    }

    var depth: Int { line.count }

    var waitingBytes: Int { line.read { $0.countedBytes } }

    var running: Int { line.read { $0.running } }

    /// The problem if there is no room for one more; nil otherwise.
    var overload: Problem? {
        line.read { $0.isFull ? $0.retryAfter : nil }.map { .overloaded(retryAfter: $0) }
    }

    /// Waits for a place, does the work, and gives the place back.
    ///
    /// `bytes` are held while waiting; `isCounted` is false for work that is bounded elsewhere.
    func run<Value>(
        bytes: Int, until deadline: ContinuousClock.Instant, isCounted: Bool = true,
        _ work: () async -> Value
    ) async throws(Refusal) -> Value {
        do throws(WaitingFailure<WorkPlaces.Full>) {
            try await line.take(.init(bytes: bytes, isCounted: isCounted), until: deadline)
        } catch {
            switch error {
            case .refused(let full): throw .full(retryAfter: full.retryAfter)
            case .late: throw .late
            case .cancelled: throw .cancelled
            }
        }
        let start = ContinuousClock.now
        let value = await work()
        let time = ContinuousClock.now - start
        line.update { $0.giveBack(after: time) }
        return value
    }
}

/// The places of a ``WorkQueue``, and the room before them.
private struct WorkPlaces: WaitingResource {
    struct Request {
        let bytes: Int
        let isCounted: Bool
    }

    struct Full: Error { let retryAfter: Int }

    let places: Int
    let maximum: Int
    let maximumBytes: Int
    private(set) var running = 0
    private(set) var countedBytes = 0
    private var counted = 0
    private var waiting = 0
    /// Moving average of the seconds that work takes.
    private var seconds = 0.1

    init(places: Int, maximum: Int, maximumBytes: Int) {
        self.places = places
        self.maximum = maximum
        self.maximumBytes = maximumBytes
    }

    var isFull: Bool { counted >= maximum }

    /// Seconds until half of the queue is done, from 1 to 30.
    var retryAfter: Int {
        let rest = seconds * Double(waiting) / Double(max(1, places)) / 2
        return Int(min(30, max(1, rest.rounded(.up))))
    }

    mutating func answer(_ request: Request) -> WaitingAnswer<Void, Full> {
        guard running < places else { return .allWait }
        running += 1
        return .granted(())
    }

    mutating func join(_ request: Request) -> Full? {
        if request.isCounted {
            guard !isFull, countedBytes + request.bytes <= maximumBytes else {
                return Full(retryAfter: retryAfter)
            }
            counted += 1
            countedBytes += request.bytes
        }
        waiting += 1
        return nil
    }

    mutating func leave(_ request: Request) {
        waiting -= 1
        guard request.isCounted else { return }
        counted -= 1
        countedBytes -= request.bytes
    }

    mutating func giveBack(after time: Duration) {
        seconds += (time / .seconds(1) - seconds) / 16
        running -= 1
    }
}
