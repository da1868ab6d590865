import Hummingbird
import NIOCore
import NotificationPayload
import NotificationStaging

/// Stages the payloads of a request as they arrive, and answers each as soon as all before it are.
///
/// Lines that are no payloads, and payloads that cannot be staged, are passed on unchanged, as by
/// `thimble stage`.
struct PayloadStream: Sendable {
    private typealias Queue = OutputQueue<Never>

    let staging: PayloadStaging
    let limits: JSONLimits
    /// Payloads in work at once.
    let jobs: Int
    /// Time for one payload.
    let seconds: Double
    /// Time without a payload and without work after which the stream ends.
    let idleTime: Duration
    let draining: Draining

    @concurrent
    func write<Body: AsyncSequence & Sendable>(
        _ body: Body, to writer: inout any ResponseBodyWriter
    ) async throws where Body.Element == ByteBuffer {
        let queue = Queue(jobs: jobs)
        let reading = Task { try await read(body, into: queue) }
        let watching = Task { try await endWhenIdle(queue, reading) }
        let lists = [draining.work, Connection.current?.work].compactMap(\.self)
        let end: @Sendable () -> Void = {
            reading.cancel()
            Task { await queue.cancel() }
        }
        let numbers = lists.map { $0.add(end) }
        defer {
            for (list, number) in zip(lists, numbers) { list.remove(number) }
            watching.cancel()
            end()
        }
        while let output = await queue.next() {
            try await writer.write(ByteBuffer(bytes: output.bytes))
        }
        // A malformed body ends the connection without the end of the answer.
        try await reading.value
    }

    private func read<Body: AsyncSequence & Sendable>(
        _ body: Body, into queue: Queue
    ) async throws where Body.Element == ByteBuffer {
        do {
            var splitter = PayloadSplitter(limits: limits)
            for try await part in body {
                await add(splitter.append(part.readableBytesView), to: queue)
            }
            await add(splitter.finish(), to: queue)
            await queue.finish()
        } catch is CancellationError {
            await queue.finish()
        } catch {
            await queue.cancel()
            throw error
        }
    }

    /// Starts deliveries and passes on the bytes between payloads.
    private func add(_ pieces: [PayloadSplitter.Piece], to queue: Queue) async {
        var passed = Queue.Output()
        for piece in pieces {
            guard let plan = plan(piece) else {
                passed.bytes += piece.bytes
                continue
            }
            if let known = staging.known(plan) {
                passed.bytes += known.payload.bytes
                continue
            }
            await queue.add(passed)
            passed = Queue.Output()
            await queue.add { place in await output(of: plan, place) }
        }
        await queue.add(passed)
    }

    /// Nil for a piece that is passed on unchanged.
    private func plan(_ piece: PayloadSplitter.Piece) -> PayloadPlan? {
        guard case .document(let document, _) = piece else { return nil }
        return try? staging.plan(document)
    }

    private func output(of plan: PayloadPlan, _ place: Queue.Place) async -> Queue.Output {
        do throws(Problem) {
            let staged = try await staging.stage(
                plan, until: .now + .seconds(seconds), isStreamed: true
            ) { await place.giveBack() }
            return Queue.Output(bytes: staged.payload.bytes)
        } catch {
            return Queue.Output(bytes: plan.payload.bytes)
        }
    }

    private func endWhenIdle(_ queue: Queue, _ reading: Task<Void, any Error>) async throws {
        while true {
            try await Task.sleep(for: max(idleTime / 4, .milliseconds(50)))
            guard await queue.isIdle else { continue }
            let change = await queue.lastChange
            if ContinuousClock.now - change >= idleTime { return reading.cancel() }
        }
    }
}
