/// The places for workers of a pool, and the workers that wait for attachments.
///
/// Places are given in the order in which they were asked for.
actor WorkerRoster {
    private var idle: [Worker] = []
    private var free: Int
    private var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    private var asked = 0
    private var isClosed = false

    /// Makes places.
    ///
    /// - Parameter places: How many workers there may be at once.
    init(places: Int) { free = places }

    /// Waits for a place.
    ///
    /// - Returns: A warm worker, or none when one is to be started.
    /// - Throws: `CancellationError` when the task is cancelled first, or the pool closed.
    func take() async throws(CancellationError) -> Worker? {
        if isClosed || Task.isCancelled { throw CancellationError() }
        if free == 0 {
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
        } else {
            free -= 1
        }
        return idle.popLast()
    }

    /// Gives a place back.
    ///
    /// - Parameter worker: The worker in it; nil when it is gone.
    func giveBack(_ worker: Worker?) {
        if let worker, !isClosed { idle.append(worker) } else { worker?.kill(.withdrawn) }
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().continuation.resume(returning: true)
        }
    }

    /// Lets nobody in any more.
    ///
    /// - Returns: The workers that wait for attachments; they are the caller's to end.
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
