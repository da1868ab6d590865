import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("Known pictures", .timeLimit(.minutes(1)))
final class KnownPictureTests: Sendable {
    let fixture: StageFixture

    init() throws { fixture = try StageFixture() }

    deinit { fixture.remove() }

    /// Writes a picture whose times show every later change.
    private func write(_ text: String = "picture", to name: String = "photo.jpg") async throws
        -> URL
    {
        let file = try fixture.write(Array(text.utf8), to: name)
        try await Task.sleep(for: .milliseconds(150))
        return file
    }

    private func request(
        _ attachment: DeliveryRequest.Attachment, _ identifier: String = "one",
        within time: Duration = .seconds(20)
    ) -> DeliveryRequest {
        var request = fixture.request(attachment, identifier, within: time)
        request.naming = .picture
        return request
    }

    /// A processor that publishes after a delay, or fails on cancellation.
    private func publisher(after delay: Duration = .zero) -> ScriptedProcessor {
        ScriptedProcessor { [fixture] request throws(AttachmentError) in
            do {
                try await Task.sleep(for: delay)
            } catch {
                throw AttachmentError(.cancelled, file: request.path, reason: "on purpose")
            }
            return try fixture.publish(request)
        }
    }

    private func stage(
        _ processor: ScriptedProcessor,
        _ configure: (inout DeliveryStage.Configuration) -> Void = { _ in }
    ) throws -> DeliveryStage {
        try fixture.stage(processor) {
            $0.handover = .inPlace
            configure(&$0)
        }
    }

    @Test("A picture is processed once for any number of notifications")
    func once() async throws {
        let processor = publisher()
        let stage = try stage(processor)
        let file = try await write()
        #expect(stage.knownAnswer(to: request(.file(file))) == nil)
        let first = await stage.deliver(request(.file(file), "first"))
        #expect(first.outcome.kind == .rendition && first.codes.isEmpty)
        for number in 0..<20 {
            let next = request(.file(file), "\(number)")
            let known = try #require(stage.knownAnswer(to: next))
            let delivered = await stage.deliver(next)
            for answer in [known, delivered] {
                #expect(answer.outcome.manifest == first.outcome.manifest)
                #expect(answer.notification.identifier == "\(number)")
                #expect(answer.picture == first.picture)
            }
        }
        #expect(processor.requests.count == 1)
        #expect(processor.requests.first?.naming == .picture)
    }

    @Test("Deliveries of a picture in progress wait for its result")
    func singleFlight() async throws {
        let processor = publisher(after: .milliseconds(500))
        let stage = try stage(processor)
        let file = try await write()
        let answers = Answers()
        for number in 0..<20 {
            stage.begin(request(.file(file), "\(number)"), completion: answers.take)
        }
        #expect(stage.isInProgress(request(.file(file))))
        try await fixture.eventually("20 answers") { answers.count == 20 }
        #expect(answers.first?.outcome.kind == .rendition)
        #expect(processor.requests.count == 1)
        #expect(!stage.isInProgress(request(.file(file))))
    }

    @Test("A delivery that waits for another is answered by its own deadline")
    func ownDeadline() async throws {
        let stage = try stage(publisher(after: .seconds(5)))
        let file = try await write()
        let leader = stage.begin(request(.file(file))) { _ in }
        let answer = await stage.deliver(request(.file(file), within: .milliseconds(200)))
        #expect(answer.codes == ["deadline"])
        #expect(answer.elapsed < .seconds(3))
        leader.cancel()
    }

    @Test(
        "A delivery with more time processes the picture after an earlier deadline or cancellation")
    func laterDeadline() async throws {
        let processor = publisher(after: .milliseconds(600))
        let stage = try stage(processor)
        let file = try await write()
        let answers = Answers()
        stage.begin(request(.file(file), within: .milliseconds(200)), completion: answers.take)
        let patient = await stage.deliver(request(.file(file)))
        #expect(answers.first?.codes.contains("deadline") == true)
        #expect(patient.outcome.kind == .rendition)

        let other = try await write("other", to: "other.jpg")
        let leader = stage.begin(request(.file(other)), completion: answers.take)
        async let waiting = stage.deliver(request(.file(other)))
        try await fixture.eventually("the leader works") {
            processor.requests.contains { $0.path == other.path }
        }
        leader.cancel()
        #expect(await waiting.outcome.kind == .rendition)
    }

    @Test("A file that is replaced or changed in place is processed again")
    func replaced() async throws {
        let processor = publisher()
        let stage = try stage(processor)
        let file = try await write("first")
        let first = await stage.deliver(request(.file(file)))
        // The same length, and the same modification time.
        let times = try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
        try Data("other".utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(times)], ofItemAtPath: file.path)
        #expect(stage.knownAnswer(to: request(.file(file))) == nil)
        let second = await stage.deliver(request(.file(file)))
        #expect(second.outcome.manifest?.source != first.outcome.manifest?.source)

        let next = try await write("third", to: "next")
        #expect(rename(next.path, file.path) == 0)
        try await Task.sleep(for: .milliseconds(150))
        let third = await stage.deliver(request(.file(file)))
        #expect(third.outcome.manifest?.source != second.outcome.manifest?.source)
        #expect(stage.knownAnswer(to: request(.file(file))) != nil)
        unlink(file.path)
        #expect(stage.knownAnswer(to: request(.file(file))) == nil)
    }

    @Test("A file replaced while it is processed is processed again")
    func replacedInProgress() async throws {
        let processor = publisher(after: .milliseconds(500))
        let stage = try stage(processor)
        let file = try await write("first")
        let next = try fixture.write(Array("next".utf8), to: "next")
        let answers = Answers()
        stage.begin(request(.file(file)), completion: answers.take)
        try await fixture.eventually("it is processed") { processor.requests.count == 1 }
        #expect(rename(next.path, file.path) == 0)
        #expect(!stage.isInProgress(request(.file(file))))
        _ = await stage.deliver(request(.file(file)))
        #expect(processor.requests.count == 2)
    }

    @Test("A known picture whose rendition or manifest was removed is processed again")
    func removed() async throws {
        let processor = publisher()
        let stage = try stage(processor)
        let file = try await write()
        var count = 0
        for folder in ["renditions", "notifications"] {
            _ = await stage.deliver(request(.file(file)))
            count += 1
            #expect(processor.requests.count == count)
            try FileManager.default.removeItem(
                at: fixture.container.root.appending(path: folder))
            try FileManager.default.createDirectory(
                at: fixture.container.root.appending(path: folder),
                withIntermediateDirectories: true)
            try await fixture.eventually("the removal is noticed") {
                stage.knownAnswer(to: request(.file(file))) == nil
            }
        }
        _ = await stage.deliver(request(.file(file)))
        #expect(processor.requests.count == count + 1)
    }

    @Test("Use protects a known picture from pruning")
    func pruning() async throws {
        let stage = try stage(publisher())
        let file = try await write()
        let answer = await stage.deliver(request(.file(file)))
        let manifest = try #require(answer.outcome.manifest)
        let root = fixture.container.root
        let paths =
            ["notifications/\(manifest.key).json"]
            + manifest.renditions.map { "renditions/\($0.file)" }
        for path in paths {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -86_400)],
                ofItemAtPath: root.appending(path: path).path)
        }
        try await Task.sleep(for: .milliseconds(1_100))
        #expect(stage.knownAnswer(to: request(.file(file))) != nil)
        try fixture.container.prune(try PruningPolicy(maximumCount: 0, gracePeriod: .seconds(60)))
        for path in paths {
            #expect(FileManager.default.fileExists(atPath: root.appending(path: path).path))
        }
    }

    @Test("A failure is remembered for seconds only")
    func failure() async throws {
        let processor = ScriptedProcessor.failing(.unsupported)
        let stage = try stage(processor)
        let file = try await write()
        let first = await stage.deliver(request(.file(file)))
        let count = processor.requests.count
        let second = try #require(stage.knownAnswer(to: request(.file(file))))
        #expect(second.outcome.kind == first.outcome.kind && second.reasons == first.reasons)
        try await fixture.eventually("the failure is forgotten", within: .seconds(10)) {
            stage.knownAnswer(to: request(.file(file))) == nil
        }
        _ = await stage.deliver(request(.file(file)))
        #expect(processor.requests.count == 2 * count)
    }

    @Test("The number of known pictures is bounded, and the least recently used go first")
    func bounded() async throws {
        let stage = try stage(publisher()) { $0.rememberedPictures = 2 }
        let files = try (0..<6).map { try fixture.write(Array("\($0)".utf8), to: "\($0).jpg") }
        try await Task.sleep(for: .milliseconds(150))
        for file in files {
            _ = await stage.deliver(request(.file(file)))
            _ = stage.knownAnswer(to: request(.file(files[0])))
        }
        let known = files.map { stage.knownAnswer(to: request(.file($0))) != nil }
        #expect(known[0] && known[5])
        #expect((2...4).contains(known.count { $0 }))
    }

    @Test("Only shared manifests and files in place are remembered")
    func unshared() async throws {
        let file = try await write()
        for (naming, handover) in [
            (ManifestNaming.notification, DeliveryStage.Handover.inPlace),
            (.picture, .clone(in: nil)),
        ] {
            let processor = publisher()
            let stage = try stage(processor) { $0.handover = handover }
            var request = request(.file(file))
            request.naming = naming
            for _ in 0..<2 {
                _ = await stage.deliver(request)
                #expect(stage.knownAnswer(to: request) == nil)
            }
            #expect(processor.requests.count == 2)
        }
    }

    @Test("A caller's identity stands for the file, whatever its path")
    func identity() async throws {
        let processor = publisher()
        let stage = try stage(processor)
        let file = try await write()
        let identity = { PictureIdentity(location: "https://e.com/a.jpg", validators: [$0]) }
        var request = request(.file(file))
        request.identity = identity("1")
        _ = await stage.deliver(request)
        request.attachment = .none
        #expect(stage.knownAnswer(to: request) != nil)
        request.identity = identity("2")
        #expect(stage.knownAnswer(to: request) == nil)
        #expect("\(identity("1"))" == "identity of a remote file")
    }
}
