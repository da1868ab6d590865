import AttachmentContainer
import Hummingbird
import NIOCore
import NotificationPayload
import NotificationStaging

/// Stages the payloads of a request as they arrive, and answers each as soon as all before it are.
///
/// Lines that are no payloads, and payloads that cannot be staged, are passed on unchanged, as by
/// `thimble stage`. In envelopes, each line has outcome, locations and reasons beside the payload.
struct PayloadStream: Sendable {
    private typealias Queue = OutputQueue<PayloadReport>

    let staging: PayloadStaging
    let limits: JSONLimits
    /// Payloads in work at once.
    let jobs: Int
    /// Time for one payload.
    let seconds: Double
    /// Time without a payload and without work after which the stream ends.
    let idleTime: Duration
    let draining: Draining
    let trace: PayloadTrace
    private let activity = StreamActivity()
    var isEnveloped = false
    /// Maximum size of a payload, in bytes; nil for the limit of the settings.
    var payloadLimit: Int?

    /// Writes the answers, and returns the summary.
    @concurrent
    func write<Body: AsyncSequence & Sendable>(
        _ body: Body, to writer: inout any ResponseBodyWriter
    ) async throws -> StreamSummary where Body.Element == ByteBuffer {
        let queue = Queue(jobs: jobs)
        let reading = Task { try await read(body, into: queue) }
        let watching = Task { try await endWhenIdle(queue, reading) }
        let lists = [draining.work, Connection.current?.work].compactMap(\.self)
        let end: @Sendable () -> Void = {
            reading.cancel()
            queue.cancel()
        }
        let numbers = lists.map { $0.add(end) }
        defer {
            for (list, number) in zip(lists, numbers) { list.remove(number) }
            watching.cancel()
            end()
        }
        var summary = StreamSummary()
        while let output = await queue.next() {
            for report in output.reports {
                summary.add(report)
                trace.log(report)
            }
            if output.reports.contains(where: \.isOfPayload) { activity.note() }
            try await writer.write(ByteBuffer(bytes: output.bytes))
        }
        // A malformed body ends the connection without the end of the answer.
        try await reading.value
        if isEnveloped {
            try await writer.write(
                ByteBuffer(bytes: PayloadEnvelope.summary(summary, requestID: trace.requestID)))
        }
        return summary
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
            queue.finish()
        } catch is CancellationError {
            queue.finish()
        } catch {
            queue.cancel()
            throw error
        }
    }

    /// Starts deliveries and passes on the bytes between payloads.
    private func add(_ pieces: [PayloadSplitter.Piece], to queue: Queue) async {
        var passed = Queue.Output()
        for piece in pieces {
            guard case .document(let document, let line) = piece else {
                passed.append(output(of: piece))
                continue
            }
            activity.note()
            do throws(Problem) {
                let plan = try staging.plan(document, limit: payloadLimit)
                if let known = staging.known(plan) {
                    passed.append(output(of: known, line))
                    continue
                }
                await queue.add(passed)
                passed = Queue.Output()
                await queue.add { place in await output(of: plan, line, place) }
            } catch {
                passed.append(output(of: piece.bytes, line, error))
            }
        }
        await queue.add(passed)
    }

    private func output(
        of plan: PayloadPlan, _ line: Int, _ place: Queue.Place
    ) async -> Queue.Output {
        do throws(Problem) {
            let staged = try await staging.stage(
                plan, until: .now + .seconds(seconds), isStreamed: true
            ) { place.giveBack() }
            return output(of: staged, line)
        } catch {
            return output(of: plan.payload.bytes, line, error)
        }
    }

    private func output(of staged: StagedPayload, _ line: Int) -> Queue.Output {
        output(
            PayloadReport(
                staged, line: line, requestID: trace.requestID, wholeURLs: trace.wholeURLs),
            staged.payload.bytes)
    }

    /// The output for a payload that is passed on unchanged.
    private func output(of payload: [UInt8], _ line: Int, _ problem: Problem) -> Queue.Output {
        staging.recordPassedOn()
        return output(PayloadReport(problem, line: line, requestID: trace.requestID), payload)
    }

    private func output(_ report: PayloadReport, _ payload: [UInt8]) -> Queue.Output {
        Queue.Output(
            bytes: isEnveloped ? PayloadEnvelope.line(report, payload: payload) : payload,
            reports: [report])
    }

    /// The output for bytes that are not a payload; envelopes need no white space between them.
    private func output(of piece: PayloadSplitter.Piece) -> Queue.Output {
        guard let report = PayloadReport(piece, requestID: trace.requestID) else {
            return Queue.Output(bytes: isEnveloped ? [] : piece.bytes)
        }
        staging.recordPassedOn()
        return Queue.Output(
            bytes: isEnveloped ? PayloadEnvelope.line(report) : piece.bytes, reports: [report])
    }

    private func endWhenIdle(_ queue: Queue, _ reading: Task<Void, any Error>) async throws {
        while true {
            try await Deadline.sleep(for: max(idleTime / 4, .milliseconds(50)))
            guard queue.isIdle, activity.age >= idleTime else { continue }
            return reading.cancel()
        }
    }
}
