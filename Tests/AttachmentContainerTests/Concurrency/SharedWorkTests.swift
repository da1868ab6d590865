import Testing

@testable import AttachmentContainer

@Suite("Shared work", .timeLimit(.minutes(1)))
struct SharedWorkTests {
    private typealias Work = SharedWork<String, Int>

    private final class Gate: Sendable {
        private let stream = AsyncStream<Void>.makeStream()

        func wait() async { for await _ in stream.stream { return } }

        func open() { stream.continuation.finish() }
    }

    private func eventually(_ holds: () -> Bool) async throws {
        while !holds() { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test("Callers of one key share a value; later ones get another")
    func sharing() async throws {
        let work = Work()
        let gate = Gate()
        let begun = Lock(0)
        let arrived = Lock(0)
        let callers = (0..<60).map { _ in
            Task {
                arrived.withLock { $0 += 1 }
                return try await work.value(of: "a", until: nil) { _ in
                    let number = begun.withLock { begun in
                        begun += 1
                        return begun
                    }
                    await gate.wait()
                    return number
                }
            }
        }
        try await eventually { arrived.withLock { $0 } == 60 && begun.withLock { $0 } == 1 }
        #expect(try await work.value(of: "b", until: nil) { _ in 7 } == 7)
        // Callers that have arrived but not yet entered would begin another work.
        try await Task.sleep(for: .milliseconds(50))
        gate.open()
        for caller in callers { #expect(try await caller.value == 1) }
        #expect(work.count == 0)
        #expect(try await work.value(of: "a", until: nil) { _ in 2 } == 2)
    }

    @Test("A caller that leaves ends its wait only; the last one ends the work")
    func leaving() async throws {
        let work = Work()
        let ended = Lock(false)
        let callers = (0..<2).map { _ in
            Task {
                try await work.value(of: "a", until: nil) { _ in
                    try? await Deadline.sleep(for: .seconds(3600))
                    ended.withLock { $0 = Task.isCancelled }
                    return 1
                }
            }
        }
        try await eventually { work.count == 1 }
        try await Task.sleep(for: .milliseconds(20))
        callers[0].cancel()
        await #expect(throws: SharedWorkFailure.cancelled) { try await callers[0].value }
        #expect(work.count == 1 && !ended.withLock { $0 })
        callers[1].cancel()
        await #expect(throws: SharedWorkFailure.cancelled) { try await callers[1].value }
        try await eventually { ended.withLock { $0 } }
        #expect(work.count == 0)
    }

    @Test("A caller whose deadline is over fails as late", arguments: [-1_000, 0, 20])
    func late(milliseconds: Int) async {
        let work = Work()
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        await #expect(throws: SharedWorkFailure.late) {
            try await work.value(of: "a", until: deadline) { _ in
                try? await Deadline.sleep(for: .seconds(3600))
                return 1
            }
        }
        #expect(ContinuousClock.now >= deadline)
        #expect(work.count == 0)
    }

    @Test("The work knows the latest deadline of its callers")
    func latestDeadline() async throws {
        let work = Work()
        let gate = Gate()
        let latest = Lock<ContinuousClock.Instant??>(nil)
        let now = ContinuousClock.now
        let make: @Sendable (@escaping Work.LatestDeadline) async -> Int = { deadline in
            await gate.wait()
            latest.withLock { $0 = .some(deadline()) }
            return 1
        }
        let first = Task { try await work.value(of: "a", until: now + .seconds(20), make) }
        try await eventually { work.count == 1 }
        let second = Task { try await work.value(of: "a", until: now + .seconds(40), make) }
        try await Task.sleep(for: .milliseconds(50))
        gate.open()
        _ = try await (first.value, second.value)
        #expect(latest.withLock { $0 } == .some(now + .seconds(40)))
    }
}
