import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import NotificationDelivery
import NotificationPayload
import NotificationStaging

/// Gives frames of exactly the length that is ordered.
struct FillingEncoder: StillEncoding {
    var excess = 0
    /// Called before each encoding.
    var willEncode: @Sendable () -> Void = {}

    func encodeStill(
        _ request: AttachmentRequest, _ order: StillOrder
    ) async throws(AttachmentError) -> EncodedStill {
        willEncode()
        do {
            let frame = [UInt8](repeating: 0, count: order.bytes + excess)
            // Bit 5 of the second byte is 4:4:4.
            let coding: UInt8 = order.keepsFullChroma ? 0x26 : 0x06
            let picture = try InlinePicture(bytes: [1, coding, 179, 134] + frame)
            return EncodedStill(
                PixelSize(width: 180, height: 135), temporalUnit: Data(picture.temporalUnit),
                encodes: 1)
        } catch {
            throw AttachmentError(.service, file: "", reason: "\(error)")
        }
    }
}

/// A stager whose inline pictures come from an encoder of the test.
enum InlineStage {
    static func with(
        limit: Int = 4096, rule: InlineRule = .ifRoom, chroma: InlineChroma = .halved,
        _ encoder: any StillEncoding, _ body: (PayloadStager, URL) async throws -> Void
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
        settings.inlineChroma = chroma
        settings.payloadLimit = limit
        let stager = try PayloadStager(
            stages, settings: settings, inlinePictures: InlinePictureMaker(encoder))
        try await body(stager, images.appending(path: "lake-baseline.jpg"))
        await pool.close()
    }
}
