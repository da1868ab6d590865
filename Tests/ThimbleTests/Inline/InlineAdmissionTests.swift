import AttachmentContainer
import Foundation
import NotificationDelivery
import NotificationPayload
import NotificationStaging
import Testing

@Suite("Admission of pictures inside payloads", .timeLimit(.minutes(2)))
struct InlineAdmissionTests {
    private struct Refusal: Error {}

    /// Admissions in progress, and encodings outside of them.
    private struct Log {
        var isAdmitted = false
        var needs: [WorkerNeed] = []
        var encodings = 0
        var encodingsOutside = 0
    }

    private static func encoder(_ log: Lock<Log>) -> FillingEncoder {
        FillingEncoder {
            log.withLock {
                $0.encodings += 1
                if !$0.isAdmitted { $0.encodingsOutside += 1 }
            }
        }
    }

    private static func stage(
        _ document: JSONDocument, by stager: PayloadStager, _ log: Lock<Log>,
        refusing refused: Int? = nil
    ) async throws -> StagedPayload {
        log.withLock { $0.needs = [] }
        return try await stager.stage(try stager.plan(document), by: .now + .seconds(60)) {
            (need, work) async throws(Refusal) in
            let count = log.withLock { log in
                log.needs.append(need)
                return log.needs.count
            }
            guard count != refused else { throw Refusal() }
            log.withLock { $0.isAdmitted = need == .worker }
            await work()
            log.withLock { $0.isAdmitted = false }
        }
    }

    @Test("The encoding waits for a worker once more, unless the picture is known")
    func needs() async throws {
        let log = Lock(Log())
        try await InlineStage.with(Self.encoder(log)) { stager, picture in
            let sample = try #require(StyledPayload.all[.pushwoosh])
            let document = try sample.document(picture)
            let first = try await Self.stage(document, by: stager, log)
            #expect(first.inlinePicture != nil)
            #expect(log.withLock { $0.needs } == [.worker, .worker])
            let second = try await Self.stage(document, by: stager, log)
            #expect(second.inlinePicture == first.inlinePicture)
            #expect(log.withLock { $0.needs } == [.worker, .none])
            #expect(log.withLock { $0.encodings } == 1)
            #expect(log.withLock { $0.encodingsOutside } == 0)
        }
    }

    @Test("A payload that has no rendition asks for no worker, and gives nothing back too early")
    func unavailable() async throws {
        let log = Lock(Log())
        try await InlineStage.with(rule: .always, Self.encoder(log)) { stager, _ in
            let document = try JSONDocument(parsing: #"{"aps":{},"attachment":"/none.jpg"}"#.utf8)
            let staged = try await Self.stage(document, by: stager, log)
            #expect(staged.inlineFailure != nil)
            #expect(log.withLock { $0.needs }.allSatisfy { $0 != .none })
            #expect(log.withLock { $0.encodings } == 0)
        }
    }

    @Test("A refusal of either admission ends the staging, without an encoding")
    func refusal() async throws {
        let log = Lock(Log())
        try await InlineStage.with(rule: .only, Self.encoder(log)) { stager, picture in
            let document = try #require(StyledPayload.all[.fcm]).document(picture)
            for number in 1...2 {
                await #expect(throws: Refusal.self) {
                    try await Self.stage(document, by: stager, log, refusing: number)
                }
            }
            #expect(log.withLock { $0.encodings } == 0)
        }
    }

    @Test("With if-room, a refusal of the second admission sends the payload with a remark")
    func refusalIfRoom() async throws {
        let log = Lock(Log())
        try await InlineStage.with(Self.encoder(log)) { stager, picture in
            let document = try #require(StyledPayload.all[.fcm]).document(picture)
            await #expect(throws: Refusal.self) {
                try await Self.stage(document, by: stager, log, refusing: 1)
            }
            let staged = try await Self.stage(document, by: stager, log, refusing: 2)
            #expect(staged.inlinePicture == nil && staged.inlineFailure == nil)
            #expect(staged.notes.contains { $0.contains("no worker was free") }, "\(staged.notes)")
            #expect(staged.answers.allSatisfy { $0.outcome.manifest != nil }, "\(staged.answers)")
            #expect(log.withLock { $0.encodings } == 0)
        }
    }
}
