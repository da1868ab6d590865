import AttachmentContainer
@testable import AttachmentService
import Synchronization
import Testing

@Suite("The queue", .timeLimit(.minutes(1)))
struct WorkQueueTests {
    /// Work that takes until it is released.
    private final class Gate: Sendable {
        private let stream = AsyncStream<Void>.makeStream()

        func wait() async { for await _ in stream.stream { return } }

        func open() { stream.continuation.finish() }
    }

    private final class Order: Sendable {
        let numbers = Mutex<[Int]>([])
    }

    private func eventually(_ holds: @Sendable () -> Bool) async throws {
        for _ in 0..<1000 where !holds() { try await Task.sleep(for: .milliseconds(5)) }
        #expect(holds())
    }

    @Test("Number and bytes of the waiting are bounded, and streams wait outside the bound")
    func bounds() async throws {
        let queue = WorkQueue(places: 1, maximum: 2, maximumBytes: ByteCount(100))
        let gate = Gate()
        let far = ContinuousClock.now + .seconds(30)
        let first = Task { try await queue.run(bytes: 1, until: far) { await gate.wait() } }
        try await eventually { queue.running == 1 }
        let second = Task { try await queue.run(bytes: 60, until: far) {} }
        try await eventually { queue.depth == 1 }
        await #expect(throws: WorkQueue.Refusal.self) {
            try await queue.run(bytes: 60, until: far) {}
        }
        let third = Task { try await queue.run(bytes: 1, until: far) {} }
        try await eventually { queue.depth == 2 }
        #expect(queue.waitingBytes == 61)
        await #expect(throws: WorkQueue.Refusal.self) {
            try await queue.run(bytes: 1, until: far) {}
        }
        let streamed = Task { try await queue.run(bytes: 1, until: far, isCounted: false) {} }
        try await eventually { queue.depth == 3 }
        gate.open()
        for task in [first, second, third, streamed] { try await task.value }
        #expect(queue.depth == 0 && queue.running == 0 && queue.waitingBytes == 0)
    }

    @Test("Deadlines and cancellation end the waiting, in order of arrival otherwise")
    func withdrawal() async throws {
        let queue = WorkQueue(places: 1, maximum: 10, maximumBytes: ByteCount(100))
        let gate = Gate()
        let order = Order()
        let far = ContinuousClock.now + .seconds(30)
        let first = Task { try await queue.run(bytes: 1, until: far) { await gate.wait() } }
        try await eventually { queue.running == 1 }
        var tasks: [Task<Void, any Error>] = []
        for number in 1...3 {
            tasks.append(
                Task {
                    try await queue.run(bytes: 1, until: far) {
                        order.numbers.withLock { $0.append(number) }
                    }
                })
            try await eventually { queue.depth == number }
        }
        let late = ContinuousClock.now + .milliseconds(20)
        await #expect(throws: WorkQueue.Refusal.self) {
            try await queue.run(bytes: 1, until: late) {}
        }
        tasks[1].cancel()
        await #expect(throws: WorkQueue.Refusal.self) { try await tasks[1].value }
        gate.open()
        try await first.value
        try await tasks[0].value
        try await tasks[2].value
        #expect(order.numbers.withLock { $0 } == [1, 3])
        #expect(queue.running == 0)
    }

    @Test("Each waiter ends at its own deadline, whatever their order")
    func deadlines() async throws {
        let queue = WorkQueue(places: 1, maximum: 10, maximumBytes: ByteCount(100))
        let gate = Gate()
        let order = Order()
        let start = ContinuousClock.now
        let first = Task {
            try await queue.run(bytes: 1, until: start + .seconds(30)) { await gate.wait() }
        }
        try await eventually { queue.running == 1 }
        let waiting = [300, 60, 150].enumerated().map { index, milliseconds in
            Task {
                let deadline = ContinuousClock.now + .milliseconds(milliseconds)
                await #expect(throws: WorkQueue.Refusal.self) {
                    try await queue.run(bytes: 1, until: deadline) {}
                }
                #expect(ContinuousClock.now >= deadline)
                order.numbers.withLock { $0.append(index) }
            }
        }
        for task in waiting { await task.value }
        #expect(order.numbers.withLock { $0 } == [1, 2, 0])
        #expect(queue.depth == 0)
        gate.open()
        try await first.value
    }
}
