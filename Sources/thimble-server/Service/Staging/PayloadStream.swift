import Hummingbird
import NIOCore
import NotificationPayload

/// Stages the payloads of a request as they arrive, and answers each as soon as all before it are.
///
/// Lines that are no payloads, and payloads that cannot be staged, are passed on unchanged, as by
/// `thimble stage`.
struct PayloadStream: Sendable {
    let staging: any PayloadStaging
    let limits: JSONLimits
    /// Payloads in work at once.
    let jobs: Int
    /// Time for one payload.
    let seconds: Double
    /// Time without a payload and without work after which the stream ends.
    let idleTime: Duration
    let draining: Draining

    @concurrent
    func write(_ body: RequestBody, to writer: inout any ResponseBodyWriter) async throws {
        let queue = AnswerQueue(jobs: jobs)
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
        while let answer = await queue.next() {
            try await writer.write(ByteBuffer(bytes: answer))
        }
        // A malformed body ends the connection without the end of the answer.
        try await reading.value
    }

    private func read(_ body: RequestBody, into queue: AnswerQueue) async throws {
        do {
            var splitter = PayloadSplitter(limits: limits)
            for try await part in body {
                for piece in splitter.append(part.readableBytesView) { await add(piece, to: queue) }
            }
            for piece in splitter.finish() { await add(piece, to: queue) }
            await queue.finish()
        } catch is CancellationError {
            await queue.finish()
        } catch {
            await queue.cancel()
            throw error
        }
    }

    private func add(_ piece: PayloadSplitter.Piece, to queue: AnswerQueue) async {
        guard case .document(let document, _) = piece else {
            return await queue.add(passing: piece.bytes)
        }
        await queue.add { [staging, seconds] in
            do throws(Problem) {
                let deadline = ContinuousClock.now + .seconds(seconds)
                return try await staging.stage(document, until: deadline, isStreamed: true).bytes
            } catch {
                return document.bytes
            }
        }
    }

    private func endWhenIdle(_ queue: AnswerQueue, _ reading: Task<Void, any Error>) async throws {
        while true {
            try await Task.sleep(for: max(idleTime / 4, .milliseconds(50)))
            guard await queue.isIdle else { continue }
            let change = await queue.lastChange
            if ContinuousClock.now - change >= idleTime { return reading.cancel() }
        }
    }
}
