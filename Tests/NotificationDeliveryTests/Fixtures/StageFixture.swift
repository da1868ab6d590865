import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload
import Testing

/// A container and a folder of attachments.
final class StageFixture: Sendable {
    let folder: URL
    let container: SharedContainer
    let attachments: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-stage-\(UUID().uuidString)", directoryHint: .isDirectory)
        container = try SharedContainer.create(at: folder.appending(path: "container"))
        attachments = folder.appending(path: "attachments", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: attachments, withIntermediateDirectories: true)
    }

    /// Removes all files, even if work that outlives its test still uses them.
    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// Writes an attachment.
    @discardableResult
    func write(_ bytes: [UInt8], to name: String = "photo.jpg") throws -> URL {
        let url = attachments.appending(path: name)
        try Data(bytes).write(to: url)
        return url
    }

    func stage(
        _ processor: any AttachmentProcessing,
        _ configure: (inout DeliveryStage.Configuration) -> Void = { _ in }
    ) throws -> DeliveryStage {
        var configuration = DeliveryStage.Configuration()
        configure(&configuration)
        return try DeliveryStage(
            container: container, processor: processor, configuration: configuration)
    }

    /// A request whose answer is due after a delay.
    func request(
        _ attachment: DeliveryRequest.Attachment, _ identifier: String = "one",
        within time: Duration = .seconds(20)
    ) -> DeliveryRequest {
        let notification = NotificationContent(
            identifier: identifier, categoryIdentifier: "photo", title: NotificationText("Hello"),
            attachments: [
                AttachmentReference(
                    identifier: "picture", location: "https://example.org/a", typeHint: "image")
            ])
        return DeliveryRequest(notification, attachment: attachment, deadline: .now + time)
    }

    /// Publishes two renditions like a processor; their bytes are text.
    @discardableResult
    func publish(
        _ request: AttachmentRequest, rung: Rung = .streamed, text: String = "expanded"
    ) throws(AttachmentError) -> ProcessedAttachment {
        do {
            let source = try Data(contentsOf: URL(fileURLWithPath: request.path))
            return try publish(
                request.identifier, category: request.category, source: source, rung: rung,
                text: text)
        } catch {
            throw AttachmentError(.storage, file: request.path, reason: "\(error)")
        }
    }

    @discardableResult
    func publish(
        _ identifier: String, category: String? = nil, source: Data, rung: Rung = .streamed,
        text: String = "expanded"
    ) throws -> ProcessedAttachment {
        var publication = Publication(in: container)
        let expanded = try publication.add(
            incoming(text), as: .expanded, type: .jpeg, size: PixelSize(width: 40, height: 30))
        let banner = try publication.add(
            incoming("banner"), as: .banner, type: .jpeg, size: PixelSize(width: 30, height: 30),
            crop: UnitRectangle(x: 0.125, y: 0, width: 0.75, height: 1))
        let manifest = Manifest(
            identifier: identifier, category: category,
            source: Manifest.Source(
                format: "jpeg", coding: "baseline", size: PixelSize(width: 40, height: 30),
                bytes: ByteCount(source.count), sha256: ContentDigest(of: source)),
            settings: "5e77", renditions: [expanded, banner], contentSizeRatio: 0.75,
            placeholder: try #require(ThumbHash(width: 1, height: 1, rgba: [200, 80, 40, 255])),
            averageColour: Colour(red: 200, green: 80, blue: 40), rung: rung.rawValue)
        try publication.commit(manifest)
        let memory = MemoryUse(
            baseline: ByteCount(1), predictedPeak: nil, measuredPeak: ByteCount(2))
        return ProcessedAttachment(manifest: manifest, work: .made, memory: memory)
    }

    /// Publishes a movie of three seconds unchanged, like a processor.
    func publishMovie(
        _ request: AttachmentRequest
    ) throws(AttachmentError) -> ProcessedAttachment {
        do {
            let source = try Data(contentsOf: URL(fileURLWithPath: request.path))
            let file = try IncomingFile(in: container)
            try file.append(source)
            var publication = Publication(in: container)
            let size = PixelSize(width: 1920, height: 1080)
            let media = try publication.add(file, media: .mpeg4, size: size, duration: 3)
            let manifest = Manifest(
                identifier: request.identifier, category: request.category,
                source: Manifest.Source(
                    format: "mp4", coding: "avc1", size: size, bytes: ByteCount(source.count),
                    sha256: ContentDigest(of: source)),
                settings: "5e77", renditions: [media], contentSizeRatio: 0.5625,
                placeholder: try #require(ThumbHash(width: 1, height: 1, rgba: [9, 9, 9, 255])),
                averageColour: Colour(red: 9, green: 9, blue: 9), rung: "passed-through",
                thumbnailTime: 0.3)
            try publication.commit(manifest)
            return ProcessedAttachment(
                manifest: manifest, work: .made,
                memory: MemoryUse(
                    baseline: ByteCount(1), predictedPeak: nil, measuredPeak: ByteCount(2)))
        } catch {
            throw AttachmentError(.storage, file: request.path, reason: "\(error)")
        }
    }

    private func incoming(_ text: String) throws -> IncomingFile {
        let file = try IncomingFile(in: container)
        try file.append(Data(text.utf8))
        return file
    }

    /// The names in the container's `incoming` folder, which holds the clones.
    func incomingNames() throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: container.root.appending(path: "incoming").path
        ).sorted()
    }

    /// Waits until a condition holds.
    func eventually(
        _ condition: String, within time: Duration = .seconds(30), _ holds: () throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + time
        while try !holds() {
            guard .now < end else {
                Issue.record("timed out before \(condition)")
                return
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
