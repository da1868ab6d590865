import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("Deadlines", .timeLimit(.minutes(1)))
final class DeadlineTests: Sendable {
    let fixture: StageFixture

    init() throws { fixture = try StageFixture() }

    deinit { fixture.remove() }

    @Test("An endless decode does not delay the answer beyond the deadline")
    func slow() async throws {
        let file = try fixture.write(Sample.jpeg())
        let stage = try fixture.stage(ScriptedProcessor.slow(.seconds(600)))
        let start = ContinuousClock.now
        let answer = await stage.deliver(fixture.request(.file(file), within: .seconds(1)))
        let elapsed = start.duration(to: .now)
        #expect(elapsed >= .seconds(1))
        #expect(answer.outcome.kind == .original)
        #expect(answer.reasons.first?.code == .deadline)
        #expect(try Data(contentsOf: #require(answer.picture)) == Data(Sample.jpeg()))
    }

    @Test("The lower rung gets the last quarter of the time and becomes the answer")
    func lowerRung() async throws {
        let file = try fixture.write(Sample.jpeg())
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            if request.below == nil {
                try? await Task.sleep(for: .seconds(600))
                throw AttachmentError(.cancelled, file: request.path, reason: "on purpose")
            }
            return try fixture.publish(request, rung: .preview)
        }
        // Leaves two seconds for publishing.
        let answer = await (try fixture.stage(processor)).deliver(
            fixture.request(.file(file), within: .seconds(8)))
        #expect(answer.outcome.kind == .lowerRung)
        #expect(answer.codes == ["late", "lower-rung"])
        #expect(answer.elapsed >= .seconds(6))
        // The prepared original is removed.
        #expect(try fixture.incomingNames() == [answer.picture?.lastPathComponent])
    }

    @Test(
        "During a lower rung, the best answer so far has a reason and no damaged original",
        arguments: [
            (AttachmentError.Code.crashed, DeliveryNote.Kind.original, ["deadline", "crashed"]),
            (.truncated, .withoutPicture, ["deadline", "truncated", "damaged"]),
        ])
    func betweenAttempts(
        _ code: AttachmentError.Code, _ outcome: DeliveryNote.Kind, _ codes: [String]
    ) async throws {
        let file = try fixture.write(Sample.jpeg())
        // Before and after the original is prepared, which begins after a quarter of a second.
        for time in [Duration.zero, .milliseconds(600)] {
            let processor = ScriptedProcessor { request throws(AttachmentError) in
                try? await Task.sleep(for: request.below == nil ? time : .seconds(600))
                throw AttachmentError(code, file: request.path, reason: "on purpose")
            }
            let answer = await (try fixture.stage(processor)).deliver(
                fixture.request(.file(file), within: .seconds(4)))
            #expect(answer.outcome.kind == outcome)
            #expect(answer.codes == codes)
            try await fixture.eventually("only the answer's file is left") {
                try fixture.incomingNames().count == (answer.picture == nil ? 0 : 1)
            }
            if let picture = answer.picture { try FileManager.default.removeItem(at: picture) }
        }
    }

    @Test("Existing renditions of the same bytes are preferred to the original")
    func earlier() async throws {
        let bytes = Sample.jpeg()
        let file = try fixture.write(bytes)
        try fixture.publish("one", source: Data(bytes), text: "earlier")
        try fixture.publish("two", source: Data(bytes.dropLast()), text: "another picture")
        let stage = try fixture.stage(ScriptedProcessor.slow(.seconds(600)))
        async let same = stage.deliver(fixture.request(.file(file), within: .seconds(3)))
        async let other = stage.deliver(fixture.request(.file(file), "two", within: .seconds(3)))
        let (one, two) = await (same, other)
        #expect(one.outcome.kind == .lowerRung)
        #expect(one.codes == ["deadline", "late", "earlier-renditions"])
        #expect(try Data(contentsOf: #require(one.picture)) == Data("earlier".utf8))
        #expect(two.outcome.kind == .original)
    }

    @Test("A processor that blocks all task threads indefinitely does not delay the answer")
    func deaf() async throws {
        let file = try fixture.write(Sample.jpeg())
        let gate = DispatchSemaphore(value: 0)
        let processor = ScriptedProcessor { request throws(AttachmentError) in
            block(until: gate)
            throw AttachmentError(.crashed, file: request.path, reason: "on purpose")
        }
        let stage = try fixture.stage(processor)
        // More than the number of task threads.
        let many = 2 * ProcessInfo.processInfo.activeProcessorCount
        let answers = (0..<many).map { _ in Answers() }
        let deadline = ContinuousClock.now + .milliseconds(300)
        for answer in answers {
            var request = fixture.request(.file(file))
            request.deadline = deadline
            stage.begin(request, completion: answer.take)
        }
        // On this thread, because the task threads are blocked.
        while !answers.allSatisfy({ $0.count > 0 }) { usleep(1000) }
        for answer in answers {
            #expect(answer.count == 1)
            #expect(try #require(answer.firstMoment) >= deadline)
        }
        for _ in 0..<2 * many { gate.signal() }
    }

    @Test("Only the renditions of a late result stay in the container")
    func tooLate() async throws {
        let file = try fixture.write(Sample.jpeg())
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            // Ignores cancellation.
            await Task.detached { try? await Task.sleep(for: .seconds(5)) }.value
            return try fixture.publish(request)
        }
        let stage = try fixture.stage(processor) { $0.timeForLowerRung = .zero }
        let answers = Answers()
        stage.begin(
            fixture.request(.file(file), within: .seconds(2)), completion: answers.take)
        try await fixture.eventually("the renditions are published") {
            try fixture.container.manifest(for: "one") != nil
        }
        try await Task.sleep(for: .milliseconds(50))
        #expect(answers.count == 1)
        let answer = try #require(answers.first)
        #expect(answer.outcome.kind == .original)
        #expect(try fixture.incomingNames() == [answer.picture?.lastPathComponent])
        let content = fixture.container.content(for: "one", on: Display(width: 440, scale: 3))
        #expect(content.picture != nil)
    }

    @Test("A late result of the first attempt is used during the lower rung")
    func justInTime() async throws {
        let file = try fixture.write(Sample.jpeg())
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            // The lower rung begins after nine seconds, three before the deadline.
            let time: Duration = request.below == nil ? .seconds(10) : .seconds(20)
            await Task.detached { try? await Task.sleep(for: time) }.value
            return try fixture.publish(request)
        }
        let answer = await (try fixture.stage(processor)).deliver(
            fixture.request(.file(file), within: .seconds(12)))
        #expect(answer.outcome.kind == .rendition)
        #expect(processor.below == [nil, .fileBacked])
    }

    @Test("A past deadline is answered without the processor's result")
    func past() async throws {
        let file = try fixture.write(Sample.jpeg())
        let stage = try fixture.stage(ScriptedProcessor.slow(.seconds(600)))
        let answer = await stage.deliver(fixture.request(.file(file), within: .seconds(-5)))
        #expect(answer.reasons.first?.code == .deadline)
    }

    @Test("A request without a deadline uses the stage's, which is 25 of an extension's 30 seconds")
    func configured() async throws {
        #expect(DeliveryStage.Configuration().deadline == .seconds(25))
        let file = try fixture.write(Sample.jpeg())
        let stage = try fixture.stage(ScriptedProcessor.slow(.seconds(600))) {
            $0.deadline = .milliseconds(200)
        }
        var request = fixture.request(.file(file))
        request.deadline = nil
        let answer = await stage.deliver(request)
        #expect(answer.elapsed >= .milliseconds(200))
    }
}

/// Blocks the thread, which a processor must not do.
private func block(until gate: DispatchSemaphore) {
    gate.wait()
}
