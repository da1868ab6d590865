import Synchronization

/// Messages without a confirmation.
final class PublishingRole: LinkRole {
    typealias Outcome = Result<Void, BrokerError>

    struct Entry: Sendable {
        let number: Int
        let message: BrokerMessage
        let queue: String
        let continuation: CheckedContinuation<Outcome, Never>
    }

    /// Maximum number of messages without a confirmation.
    private static let window = 200
    /// Longest wait for a confirmation.
    ///
    /// After a partition of the nodes a queue may never send one, although the connection is well
    /// (seen with RabbitMQ 3.10.8).
    private static let patience = Duration.seconds(20)
    /// Time for which a full queue is taken to be full.
    private static let refusalLifetime = Duration.seconds(1)

    private struct State {
        var waiting: [Entry] = []
        /// Messages without a confirmation, by their numbers in the channel.
        var sent: [UInt64: Entry] = [:]
        /// Start of the wait without any confirmation; nil while no message waits.
        var silentSince: ContinuousClock.Instant?
        /// The number of the last message in the channel.
        var last: UInt64 = 0
        /// True if the next confirmation is for a message without a queue.
        var isReturned = false
        var needsChannel = false
        var numbers = 0
        var given: Set<Int> = []
        var isClosed = false
        /// The reason for which the broker accepts no messages now; nil while it does.
        var obstacle: BrokerError? = BrokerError(.unreachable, "no connection yet")
        /// The last message that was not accepted.
        var rejection: (error: BrokerError, time: ContinuousClock.Instant)?

        /// The reason for a message that was given up.
        var late: BrokerError {
            obstacle ?? BrokerError(.late, "the broker did not confirm the message in time")
        }
    }

    private let settings: BrokerSettings
    private let state = Mutex(State())

    init(_ settings: BrokerSettings) { self.settings = settings }

    func nextNumber() -> Int {
        state.withLock { state in
            state.numbers += 1
            return state.numbers
        }
    }

    func add(_ entry: Entry) {
        let failure: BrokerError? = state.withLock { state in
            if state.isClosed { return BrokerError(.closed, "the publisher was closed") }
            if state.given.remove(entry.number) != nil { return state.late }
            state.waiting.append(entry)
            return nil
        }
        if let failure { entry.continuation.resume(returning: .failure(failure)) }
    }

    var refusal: BrokerError? {
        state.withLock { state in
            if let obstacle = state.obstacle, obstacle.code == .blocked { return obstacle }
            guard let rejection = state.rejection,
                rejection.time.duration(to: .now) < Self.refusalLifetime
            else { return nil }
            return rejection.error
        }
    }

    /// Ends the wait for a message at its deadline, or on cancellation; it may still arrive.
    func giveUp(_ number: Int) {
        let (entry, failure): (Entry?, BrokerError) = state.withLock { state in
            if let index = state.waiting.firstIndex(where: { $0.number == number }) {
                return (state.waiting.remove(at: index), state.late)
            }
            if let found = state.sent.first(where: { $0.value.number == number }) {
                state.sent[found.key] = nil
                return (found.value, state.late)
            }
            state.given.insert(number)
            return (nil, state.late)
        }
        entry?.continuation.resume(returning: .failure(failure))
    }

    func close() { state.withLock { $0.isClosed = true } }

    func opened(_ connection: borrowing BrokerConnection) throws(BrokerError) {
        try connection.declareQueues(settings)
        try connection.enableConfirmations()
        state.withLock { state in
            state.last = 0
            state.needsChannel = false
            state.isReturned = false
            state.obstacle = nil
        }
    }

    func work(_ connection: borrowing BrokerConnection) throws(BrokerError) -> Bool {
        try checkSilence()
        if state.withLock({ $0.needsChannel && $0.sent.isEmpty }) {
            try connection.reopenChannel()
            try connection.enableConfirmations()
            state.withLock { state in
                state.needsChannel = false
                state.last = 0
            }
        }
        while let (entry, tag) = next() {
            do throws(BrokerError) {
                try connection.publish(entry.message, to: entry.queue)
            } catch {
                // The loss of the connection ends the wait for this one too.
                state.withLock { $0.sent[tag] = entry }
                throw error
            }
        }
        return !state.withLock { $0.isClosed }
    }

    private func checkSilence() throws(BrokerError) {
        let isSilent = state.withLock { state in
            guard !state.sent.isEmpty, state.obstacle == nil else {
                state.silentSince = nil
                return false
            }
            let begin = state.silentSince ?? .now
            state.silentSince = begin
            return begin.duration(to: .now) > Self.patience
        }
        guard isSilent else { return }
        state.withLock { $0.silentSince = nil }
        throw BrokerError(.unreachable, "a node did not confirm messages for \(Self.patience)")
    }

    private func next() -> (Entry, UInt64)? {
        state.withLock { state in
            guard !state.waiting.isEmpty, state.sent.count < Self.window, !state.needsChannel,
                state.obstacle == nil
            else { return nil }
            let entry = state.waiting.removeFirst()
            state.last += 1
            state.sent[state.last] = entry
            return (entry, state.last)
        }
    }

    func received(
        _ event: BrokerConnection.Event, _ connection: borrowing BrokerConnection
    ) throws(BrokerError) {
        switch event {
        case .confirmed(let tag, let isMultiple):
            let isReturned = state.withLock { state in
                defer { state.isReturned = false }
                return state.isReturned
            }
            finish(
                tag, isMultiple,
                isReturned
                    ? .failure(BrokerError(.unroutable, "the queue does not exist"))
                    : .success(()))
        case .rejected(let tag, let isMultiple):
            let error = BrokerError(.rejected, "the queue accepts no messages")
            state.withLock { state in
                state.needsChannel = true
                state.rejection = (error, .now)
            }
            finish(tag, isMultiple, .failure(error))
        case .returned: state.withLock { $0.isReturned = true }
        case .blocked(let reason):
            state.withLock {
                $0.obstacle = BrokerError(.blocked, "the broker accepts no messages: \(reason)")
            }
        case .unblocked: state.withLock { $0.obstacle = nil }
        case .delivery: break
        }
    }

    func lost(_ error: BrokerError) {
        let entries = state.withLock { state in
            defer {
                state.sent = [:]
                state.waiting = []
            }
            state.obstacle = error
            return Array(state.sent.values) + state.waiting
        }
        for entry in entries { entry.continuation.resume(returning: .failure(error)) }
    }

    private func finish(_ tag: UInt64, _ isMultiple: Bool, _ outcome: Outcome) {
        let entries = state.withLock { state in
            state.silentSince = nil
            let tags = isMultiple ? state.sent.keys.filter { $0 <= tag } : [tag]
            return tags.compactMap { state.sent.removeValue(forKey: $0) }
        }
        for entry in entries { entry.continuation.resume(returning: outcome) }
    }
}
