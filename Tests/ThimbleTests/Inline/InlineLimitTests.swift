import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import NotificationDelivery
import NotificationPayload
import NotificationStaging
import Testing

/// Gives frames of exactly the length that is ordered.
private struct FillingEncoder: StillEncoding {
    var excess = 0

    func encodeStill(
        _ request: AttachmentRequest, _ order: StillOrder
    ) async throws(AttachmentError) -> EncodedStill {
        do {
            let frame = [UInt8](repeating: 0, count: order.bytes + excess)
            let picture = try InlinePicture(bytes: [1, 6, 179, 134] + frame)
            return EncodedStill(
                PixelSize(width: 180, height: 135), temporalUnit: Data(picture.temporalUnit),
                encodes: 1)
        } catch {
            throw AttachmentError(.service, file: "", reason: "\(error)")
        }
    }
}

@Suite("Limits of pictures inside payloads", .timeLimit(.minutes(2)))
struct InlineLimitTests {
    private static func withStager(
        limit: Int = 4096, rule: InlineRule = .ifRoom, _ encoder: any StillEncoding,
        _ body: (PayloadStager, URL) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try SharedContainer.create(at: folder)
        let images = Command.package.appending(path: "Images")
        let pool = try WorkerPool(settings: ProcessingSettings(), container: container)
        let stages = try DeliveryStages(settings: ProcessingSettings()) { _ in
            var configuration = DeliveryStage.Configuration()
            configuration.handover = .inPlace
            configuration.allowedRoots = AllowedRoots([images])
            return try DeliveryStage(
                container: container, processor: pool, configuration: configuration)
        }
        var settings = StagingSettings()
        settings.inline = rule
        settings.payloadLimit = limit
        let stager = try PayloadStager(
            stages, settings: settings, inlinePictures: InlinePictureMaker(encoder))
        try await body(stager, images.appending(path: "lake-baseline.jpg"))
        await pool.close()
    }

    private static func document(_ picture: URL, body: Int) throws -> JSONDocument {
        let text = String(repeating: "x", count: body)
        return try JSONDocument(
            parsing: #"{"aps":{"alert":"\#(text)"},"attachment":"\#(picture.path)"}"#.utf8)
    }

    @Test("A full payload has exactly 4,096 bytes or one less, and never one more")
    func limit() async throws {
        try await Self.withStager(FillingEncoder()) { stager, picture in
            var sizes: Set<Int> = []
            // Rooms below 900 bytes are used to the last one.
            for body in 2530..<2570 {
                let staged = try await stager.stage(try Self.document(picture, body: body))
                #expect(staged.inlinePicture != nil, "\(staged.notes)")
                #expect(staged.payload.bytes.count == staged.payload.size)
                sizes.insert(staged.payload.bytes.count)
            }
            #expect(sizes == [4095, 4096])
        }
    }

    @Test("Payloads of every length stay within the limit")
    func lengths() async throws {
        try await Self.withStager(
            FillingEncoder(),
            { stager, picture in
                for body in stride(from: 0, to: 4000, by: 37) {
                    let document = try Self.document(picture, body: body)
                    let staged = try await stager.stage(document)
                    #expect(staged.payload.bytes.count <= max(4096, document.bytes.count))
                }
            })
    }

    @Test("A worker's picture that is longer than ordered is refused, and the payload is intact")
    func longer() async throws {
        try await Self.withStager(rule: .always, FillingEncoder(excess: 1)) { stager, picture in
            let staged = try await stager.stage(try Self.document(picture, body: 100))
            #expect(staged.inlinePicture == nil && staged.inlineFailure != nil)
            #expect(staged.payload.note?.identifier != nil)
            #expect(staged.payload.size <= 4096)
        }
    }

    @Test("Without an encoder or a note, the rule is an error of the settings")
    func settings() throws {
        var settings = StagingSettings()
        settings.inline = .always
        settings.addsNote = false
        let error = #expect(throws: SettingsError.self) { try settings.validate() }
        #expect(error?.field == "inline")
    }
}
