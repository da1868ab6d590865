import AttachmentContainer
import Foundation
import Testing

@Suite("Deadlines", .timeLimit(.minutes(1)))
struct DeadlineTests {
    /// Numbers in the order of their calls.
    private final class Calls: Sendable {
        private let state = Lock([Int]())

        var numbers: [Int] { state.withLock { $0 } }

        func add(_ number: Int) { state.withLock { $0.append(number) } }
    }

    private func eventually(_ holds: @Sendable () -> Bool) async throws {
        while !holds() { try await Deadline.sleep(for: .milliseconds(5)) }
    }

    @Test("Actions are called once, in the order of their times, and never early")
    func order() async throws {
        let calls = Calls()
        let start = ContinuousClock.now
        for number in [7, 3, 9, 1, 5, 8, 2, 6, 4, 0] {
            let instant = start + .milliseconds(100 + number * 10)
            _ = Deadline(at: instant) {
                if ContinuousClock.now >= instant { calls.add(number) }
            }
        }
        try await eventually { calls.numbers.count == 10 }
        try await Deadline.sleep(for: .milliseconds(50))
        #expect(calls.numbers == Array(0..<10))
    }

    @Test("Of a thousand deadlines in random order, exactly the cancelled ones are not called")
    func cancellation() async throws {
        var generator = SystemRandomNumberGenerator()
        let calls = Calls()
        let start = ContinuousClock.now + .milliseconds(200)
        var deadlines = (0..<1_000).map { number in
            (
                number,
                Deadline(at: start + .microseconds(.random(in: 0...100_000))) {
                    calls.add(number)
                }
            )
        }
        deadlines.shuffle(using: &generator)
        for (_, deadline) in deadlines.prefix(500) { deadline.cancel() }
        let kept = Set(deadlines.dropFirst(500).map(\.0))
        try await eventually { calls.numbers.count >= 500 }
        try await Deadline.sleep(for: .milliseconds(150))
        #expect(calls.numbers.count == 500 && Set(calls.numbers) == kept)
    }

    @Test("A deadline in the past is due at once, and knows it")
    func past() async throws {
        let calls = Calls()
        let deadline = Deadline(at: .now - .seconds(1)) { calls.add(1) }
        #expect(deadline.hasPassed)
        try await eventually { calls.numbers == [1] }
        #expect(!Deadline(at: .now + .seconds(3600)) {}.hasPassed)
    }

    @Test("An earlier deadline is called before a later one that is already set")
    func earlier() async throws {
        let calls = Calls()
        let far = Deadline(at: .now + .seconds(3600)) { calls.add(2) }
        _ = Deadline(at: .now + .milliseconds(20)) { calls.add(1) }
        try await eventually { calls.numbers == [1] }
        far.cancel()
    }

    @Test("An action that blocks delays no other deadline")
    func blocking() async throws {
        let (calls, gate) = (Calls(), DispatchSemaphore(value: 0))
        _ = Deadline(at: .now, mayBlock: true) {
            gate.wait()
            calls.add(1)
        }
        _ = Deadline(at: .now + .milliseconds(20)) { calls.add(2) }
        try await eventually { calls.numbers == [2] }
        gate.signal()
        try await eventually { calls.numbers == [2, 1] }
    }

    @Test("Blocked task threads delay no deadline")
    func blockedThreads() {
        let (calls, gate) = (Calls(), DispatchSemaphore(value: 0))
        let count = ProcessInfo.processInfo.activeProcessorCount + 1
        for _ in 0..<count { Task.detached { Self.wait(for: gate) } }
        let done = DispatchSemaphore(value: 0)
        _ = Deadline(at: .now + .milliseconds(50)) {
            calls.add(1)
            done.signal()
        }
        #expect(done.wait(timeout: .now() + 20) == .success)
        for _ in 0..<count { gate.signal() }
        #expect(calls.numbers == [1])
    }

    private static func wait(for gate: DispatchSemaphore) { gate.wait() }

    @Test("A cancelled sleep ends at once with an error, and another at its time")
    func sleep() async throws {
        let end = ContinuousClock.now + .milliseconds(30)
        try await Deadline.sleep(until: end)
        #expect(ContinuousClock.now >= end)
        let task = Task { try await Deadline.sleep(for: .seconds(3600)) }
        try await Deadline.sleep(for: .milliseconds(10))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Deadline.sleep(for: .seconds(3600))
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}
