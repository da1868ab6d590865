import Testing

@testable import AttachmentContainer

@Suite("Waiting line", .timeLimit(.minutes(1)))
struct WaitingLineTests {
    /// Bytes of which each name has at most half.
    private struct Shares: WaitingResource {
        struct Request {
            var name = "a"
            var bytes = 1
        }

        struct Full: Error, Equatable {}

        var free: Int
        let share: Int
        var used: [String: Int] = [:]
        var waitingBytes = 0

        init(_ bytes: Int, share: Int? = nil) {
            free = bytes
            self.share = share ?? bytes
        }

        func lane(of request: Request) -> String { request.name }

        mutating func join(_ request: Request) -> Full? {
            guard waitingBytes + request.bytes <= 1_000 else { return Full() }
            waitingBytes += request.bytes
            return nil
        }

        mutating func leave(_ request: Request) { waitingBytes -= request.bytes }

        mutating func answer(_ request: Request) -> WaitingAnswer<Int, Full> {
            guard free >= request.bytes else { return .allWait }
            guard used[request.name, default: 0] + request.bytes <= share else { return .laneWaits }
            free -= request.bytes
            used[request.name, default: 0] += request.bytes
            return .granted(request.bytes)
        }

        mutating func giveBack(_ request: Request) {
            free += request.bytes
            used[request.name, default: 0] -= request.bytes
        }
    }

    private typealias Line = WaitingLine<Shares>

    private final class Order: Sendable {
        private let names = Lock<[String]>([])

        var all: [String] { names.withLock { $0 } }

        func add(_ name: String) { names.withLock { $0.append(name) } }
    }

    private func eventually(_ holds: () -> Bool) async throws {
        while !holds() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Begins requests one after the other, each of which tells the order of its grant.
    private func queue(
        _ requests: [Shares.Request], on line: Line, _ order: Order
    ) async throws -> [Task<Void, any Error>] {
        var tasks: [Task<Void, any Error>] = []
        for request in requests {
            let before = line.count
            tasks.append(
                Task {
                    _ = try await line.take(request)
                    order.add(request.name)
                    line.update { $0.giveBack(request) }
                })
            try await eventually { line.count == before + 1 }
        }
        return tasks
    }

    @Test("Lanes take turns, each in order of arrival")
    func turns() async throws {
        let line = Line(Shares(1))
        let order = Order()
        _ = try await line.take(.init(name: "x"))
        let names = ["a", "a", "a", "b", "c", "a"]
        let tasks = try await queue(names.map { .init(name: $0) }, on: line, order)
        line.update { $0.giveBack(.init(name: "x")) }
        for task in tasks { try await task.value }
        #expect(order.all == ["a", "b", "c", "a", "a", "a"])
        #expect(line.read { $0.waitingBytes } == 0 && line.count == 0)
    }

    @Test("A lane that has used its share does not delay another")
    func shares() async throws {
        let line = Line(Shares(4, share: 2))
        _ = try await line.take(.init(name: "a", bytes: 2))
        let order = Order()
        let tasks = try await queue([.init(name: "a")], on: line, order)
        #expect(try await line.take(.init(name: "b", bytes: 2)) == 2)
        #expect(order.all.isEmpty)
        line.update { $0.giveBack(.init(name: "a", bytes: 2)) }
        try await tasks[0].value
        #expect(line.read { $0.free } == 2)
    }

    @Test("A large request is not passed by smaller ones of its lane")
    func noStarvation() async throws {
        let line = Line(Shares(4))
        _ = try await line.take(.init(bytes: 3))
        let order = Order()
        let tasks = try await queue(
            [.init(name: "a", bytes: 4), .init(name: "a", bytes: 1)], on: line, order)
        #expect(line.read { $0.free } == 1 && line.count == 2)
        line.update { $0.giveBack(.init(bytes: 3)) }
        for task in tasks { try await task.value }
        #expect(order.all == ["a", "a"])
    }

    @Test("A withdrawn request lets those behind it pass")
    func withdrawal() async throws {
        let line = Line(Shares(4))
        _ = try await line.take(.init(bytes: 3))
        let order = Order()
        let tasks = try await queue(
            [.init(name: "a", bytes: 4), .init(name: "a", bytes: 1)], on: line, order)
        tasks[0].cancel()
        await #expect(throws: Line.Failure.cancelled) { try await tasks[0].value }
        try await tasks[1].value
        #expect(order.all == ["a"])
        #expect(line.read { $0.waitingBytes } == 0)
    }

    @Test("A request ends at its deadline, and one whose deadline is over never waits")
    func deadlines() async throws {
        let line = Line(Shares(0))
        let start = ContinuousClock.now
        for milliseconds in [-10, 0, 30] {
            await #expect(throws: Line.Failure.late) {
                try await line.take(.init(), until: start + .milliseconds(milliseconds))
            }
        }
        #expect(ContinuousClock.now - start >= .milliseconds(30))
        #expect(line.count == 0)
    }

    @Test("A cancelled task gets nothing, unless it may not be cancelled")
    func cancellation() async throws {
        let line = Line(Shares(1, share: 2))
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await line.take(.init())
        }
        await #expect(throws: Line.Failure.cancelled) { try await early.value }
        let insisting = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await line.take(.init(bytes: 2), isCancellable: false)
        }
        try await eventually { line.count == 1 }
        line.update { $0.free += 1 }
        #expect(try await insisting.value == 2)
    }

    /// Numbers that one lane puts in and the other takes out.
    private struct Box: WaitingResource {
        enum Request { case put(Int), take }
        enum Lane { case putting, taking }

        var number: Int?

        func lane(of request: Request) -> Lane {
            if case .put = request { .putting } else { .taking }
        }

        mutating func answer(_ request: Request) -> WaitingAnswer<Int?, Never> {
            switch (request, number) {
            case (.put(let new), nil): number = new
            case (.take, let found?):
                number = nil
                return .granted(found)
            default: return .laneWaits
            }
            return .granted(nil)
        }
    }

    @Test("A request that is granted at once serves those of other lanes that wait for it")
    func exchange() async throws {
        let line = WaitingLine(Box())
        let taken = Task {
            var numbers: [Int?] = []
            for _ in 0..<1_000 { numbers.append(try await line.take(.take)) }
            return numbers
        }
        for number in 0..<1_000 { _ = try await line.take(.put(number)) }
        #expect(try await taken.value == Array(0..<1_000))
    }

    @Test("A full line refuses at once")
    func refusal() async throws {
        let line = Line(Shares(0))
        let waiting = Task { try await line.take(.init(bytes: 1_000)) }
        try await eventually { line.count == 1 }
        await #expect(throws: Line.Failure.refused(.init())) { try await line.take(.init()) }
        waiting.cancel()
        await #expect(throws: Line.Failure.cancelled) { try await waiting.value }
    }

    @Test("Places are never exceeded, and none is lost, whatever is cancelled or late")
    func storm() async throws {
        let line = WaitingLine(places: 3)
        let held = Lock((now: 0, most: 0))
        await withTaskGroup { group in
            for number in 0..<2_000 {
                group.addTask {
                    let deadline: ContinuousClock.Instant? =
                        number % 3 == 0 ? .now + .microseconds(number) : nil
                    let task = Task {
                        try await line.take(until: deadline)
                        held.withLock { held in
                            held.now += 1
                            held.most = max(held.most, held.now)
                        }
                        await Task.yield()
                        held.withLock { $0.now -= 1 }
                        line.giveBack()
                    }
                    if number % 5 == 0 { task.cancel() }
                    _ = await task.result
                }
            }
        }
        #expect(held.withLock { $0.most } <= 3)
        #expect(line.read { $0.free } == 3 && line.count == 0)
    }
}
