import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationPayload
import Testing

@testable import NotificationDelivery

@Suite("Expiry and cancellation", .timeLimit(.minutes(1)))
final class ExpiryTests: Sendable {
    let fixture: StageFixture

    init() throws { fixture = try StageFixture() }

    deinit { fixture.remove() }

    @Test("On expiry, the best answer so far is given immediately on the calling thread")
    func expired() async throws {
        let file = try fixture.write(Sample.jpeg())
        let stage = try fixture.stage(ScriptedProcessor.slow(.seconds(10)))
        let answers = Answers()
        let delivery = stage.begin(fixture.request(.file(file)), completion: answers.take)
        try await fixture.eventually("the original is ready") { delivery.hasPicture }
        delivery.timeWillExpire()
        #expect(answers.count == 1)
        #expect(answers.first?.outcome.kind == .original)
        #expect(answers.first?.codes == ["expired"])
    }

    @Test("Expiry that races with the processor and the deadline gives exactly one answer")
    func raced() async throws {
        let file = try fixture.write(Sample.jpeg())
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            try? await Task.sleep(for: .microseconds(Int.random(in: 0..<3000)))
            guard !Task.isCancelled, Bool.random() else {
                throw AttachmentError(.crashed, file: request.path, reason: "on purpose")
            }
            return try fixture.publish(request)
        }
        let stage = try fixture.stage(processor)
        let answers = (0..<1000).map { _ in Answers() }
        await withTaskGroup(of: Void.self) { group in
            for (index, answer) in answers.enumerated() {
                if index >= 8 { await group.next() }
                group.addTask { [fixture] in
                    // Every tenth has time for its renditions, even on a busy machine.
                    let isUnhurried = index.isMultiple(of: 10)
                    let time: Duration = isUnhurried ? .seconds(20) : .milliseconds(25)
                    let delivery = stage.begin(
                        fixture.request(.file(file), "\(index % 7)", within: time),
                        completion: answer.take)
                    let moment = useconds_t.random(in: 0..<25_000)
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            usleep(moment)
                            while isUnhurried, answer.count == 0 { usleep(1000) }
                            delivery.timeWillExpire()
                            // On return, an answer exists or another thread is about to give it.
                            continuation.resume()
                        }
                    }
                    delivery.cancel()
                }
            }
        }
        try await fixture.eventually("all deliveries are answered") {
            answers.allSatisfy { $0.count > 0 }
        }
        try await Task.sleep(for: .milliseconds(100))
        #expect(answers.allSatisfy { $0.count == 1 })
        // Prepared but unused files are removed.
        let given = Set(answers.compactMap { $0.first?.picture?.lastPathComponent })
        try await fixture.eventually("only the answers' files are left") {
            Set(try fixture.incomingNames()) == given
        }
        let kinds = Set(answers.compactMap { $0.first?.outcome.kind })
        #expect(kinds.contains(.rendition) && kinds.contains(.withoutPicture))
    }

    @Test("Cancelling stops the work and leaves no files")
    func cancelled() async throws {
        let file = try fixture.write(Sample.jpeg())
        let hasStopped = Lock(false)
        let processor = ScriptedProcessor { request throws(AttachmentError) in
            try? await Task.sleep(for: .seconds(60))
            hasStopped.withLock { $0 = true }
            throw AttachmentError(.cancelled, file: request.path, reason: "on purpose")
        }
        let stage = try fixture.stage(processor)
        let answers = Answers()
        let delivery = stage.begin(fixture.request(.file(file)), completion: answers.take)
        try await fixture.eventually("the original is ready") { delivery.hasPicture }
        delivery.cancel()
        #expect(answers.count == 1)
        #expect(answers.first?.outcome.kind == .withoutPicture)
        #expect(answers.first?.codes == ["cancelled"])
        #expect(answers.first?.notification.attachments.isEmpty == true)
        try await fixture.eventually("the work stops") { hasStopped.withLock(\.self) }
        try await fixture.eventually("no file is left") {
            try fixture.incomingNames().isEmpty
        }
        delivery.timeWillExpire()
        delivery.cancel()
        #expect(answers.count == 1)
    }

    @Test("Cancelling stops copying a long original and removes the partial copy")
    func cancelledCopy() async throws {
        // A sparse gigabyte; the processor outlasts any copying time.
        let file = try fixture.write(Sample.mp4, to: "long")
        try FileHandle(forWritingTo: file).truncate(atOffset: 1 << 30)
        let stage = try fixture.stage(ScriptedProcessor.slow(.seconds(60))) {
            $0.attachmentLimits.movie = .megabytes(2000)
        }
        let answers = Answers()
        let delivery = stage.begin(fixture.request(.file(file)), completion: answers.take)
        try await fixture.eventually("the copy starts") {
            try !fixture.incomingNames().isEmpty
        }
        delivery.cancel()
        #expect(answers.first?.codes == ["cancelled"])
        try await fixture.eventually("no file is left") {
            try fixture.incomingNames().isEmpty
        }
    }

    @Test("Cancelling the delivering task gives an answer, before and after it starts")
    func cancelledTask() async throws {
        let file = try fixture.write(Sample.jpeg())
        let stage = try fixture.stage(ScriptedProcessor.slow(.seconds(10)))
        for wait in [Duration.zero, .milliseconds(50)] {
            let task = Task { await stage.deliver(fixture.request(.file(file))) }
            try await Task.sleep(for: wait)
            task.cancel()
            let answer = await task.value
            #expect(answer.codes == ["cancelled"])
        }
        try await fixture.eventually("no file is left") { try fixture.incomingNames().isEmpty }
    }

    @Test("A completion that requests the answer again is not called again")
    func reentrant() async throws {
        let stage = try fixture.stage(ScriptedProcessor.slow(.seconds(10)))
        let file = try fixture.write(Sample.jpeg())
        let answers = Answers()
        let own = Lock<Delivery?>(nil)
        let delivery = stage.begin(fixture.request(.file(file))) { answer in
            answers.take(answer)
            own.withLock(\.self)?.timeWillExpire()
            own.withLock(\.self)?.cancel()
        }
        own.withLock { $0 = delivery }
        delivery.timeWillExpire()
        #expect(answers.count == 1)
    }

    @Test("Releasing a delivery does not end it")
    func letGo() async throws {
        let file = try fixture.write(Sample.jpeg())
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            try? await Task.sleep(for: .milliseconds(30))
            return try fixture.publish(request)
        }
        let answers = Answers()
        try fixture.stage(processor).begin(fixture.request(.file(file)), completion: answers.take)
        try await fixture.eventually("the answer arrives") { answers.count == 1 }
        #expect(answers.first?.outcome.kind == .rendition)
    }

    @Test("Fifty concurrent deliveries each get their own answer")
    func many() async throws {
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<50)))
            return try fixture.publish(request, text: request.identifier)
        }
        let stage = try fixture.stage(processor)
        let file = try fixture.write(Sample.jpeg())
        await withTaskGroup(of: (Int, DeliveryAnswer).self) { group in
            for index in 0..<50 {
                group.addTask { [fixture] in
                    let answer = await stage.deliver(fixture.request(.file(file), "\(index)"))
                    return (index, answer)
                }
            }
            for await (index, answer) in group {
                #expect(answer.outcome.kind == .rendition)
                #expect(answer.notification.identifier == "\(index)")
                let bytes = answer.picture.flatMap { try? Data(contentsOf: $0) }
                #expect(bytes == Data("\(index)".utf8))
            }
        }
        #expect(try fixture.incomingNames().count == 50)
    }
}
