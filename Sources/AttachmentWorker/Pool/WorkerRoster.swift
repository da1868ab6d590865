/// The places of a pool, granted in order of request, and its idle workers.
actor WorkerRoster {
    private var idle: [Worker] = []
    /// Number of free places; −1 while one worker more than there are places is in use.
    private var free: Int
    private var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var asked = 0
    private var isClosed = false
    /// True while the first worker starts in advance.
    private var isWarmingUp = false

    init(places: Int) { free = places }

    /// True if a place is free, so that a core is probably idle.
    var hasFreePlace: Bool { free > 0 }

    /// Waits for a place, as ``take(_:mayExceed:)``; the next ones are granted after
    /// ``endWarmUp()``, so that they find the worker that is starting.
    func beginWarmUp(_ program: WorkerProgram) async throws(CancellationError) -> Worker? {
        let worker = try await take(program)
        isWarmingUp = true
        return worker
    }

    func endWarmUp() {
        isWarmingUp = false
        while free > 0, !waiting.isEmpty {
            free -= 1
            waiting.removeFirst().continuation.resume(returning: true)
        }
    }

    /// Waits for a place; returns an idle worker of the program, if any.
    ///
    /// `mayExceed` grants one place more than there are, instead of waiting. A place has at most
    /// one busy worker, and keeps an idle one of each program.
    func take(
        _ program: WorkerProgram, mayExceed: Bool = false
    ) async throws(CancellationError) -> Worker? {
        if isClosed || Task.isCancelled { throw CancellationError() }
        if (free > 0 && !isWarmingUp) || (free >= 0 && mayExceed) {
            free -= 1
        } else {
            asked += 1
            let number = asked
            let isGranted = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    waiting.append((number, continuation))
                }
            } onCancel: {
                Task { await self.withdraw(number) }
            }
            guard isGranted else { throw CancellationError() }
        }
        return idle.lastIndex { $0.program == program }.map { idle.remove(at: $0) }
    }

    func giveBack(_ worker: Worker?) {
        guard free >= 0 else {
            free += 1
            worker?.kill(.withdrawn)
            return
        }
        if let worker, !isClosed { idle.append(worker) } else { worker?.kill(.withdrawn) }
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().continuation.resume(returning: true)
        }
    }

    func close() -> [Worker] {
        isClosed = true
        for waiter in waiting { waiter.continuation.resume(returning: false) }
        waiting = []
        defer { idle = [] }
        return idle
    }

    private func withdraw(_ number: Int) {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: place).continuation.resume(returning: false)
    }
}
