import ArgumentParser
import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload

/// One delivery in this process, as in a service extension.
struct Deliver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deliver the job of the standard input.", shouldDisplay: false)

    func run() async throws {
        let input = try FileHandle.standardInput.readToEnd() ?? Data()
        let job = try JSONDecoder().decode(DeliveryJob.self, from: input)
        let clear = try SharedContainer.create(at: URL(fileURLWithPath: job.container))
        let container = job.isSealed ? clear.sealing(with: SealingKey.random()) : clear
        var settings = ProcessingSettings()
        settings.cap = MemoryCap(ByteCount(job.cap))
        let stage = try DeliveryStage(
            container: container,
            processor: AttachmentProcessor(settings: settings, container: container))
        let result = try await Self.deliver(job, into: container, through: stage)
        FileHandle.standardOutput.write(try JSONEncoder().encode(result))
    }

    private static func deliver(
        _ job: DeliveryJob, into container: SharedContainer, through stage: DeliveryStage
    ) async throws -> DeliveryResult {
        var download = DownloadSettings()
        download.allowsInsecureTransfer = true
        let headers = job.token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
        var source = PictureSource.request(PictureRequest(job.url, headers: headers))
        source.decryption = try job.keys?.decryption()
        let notification = NotificationContent(identifier: "one", title: NotificationText("One"))
        let (prepared, recorder) = (source, PeakRecorder())
        let baseline = Footprint.current()
        let interval = recorder.begin()
        let start = ContinuousClock.now
        let (answers, continuation) = AsyncStream.makeStream(of: DeliveryAnswer.self)
        let delivery = RemoteDelivery(
            of: notification, into: container, by: AttachmentDownload(settings: download),
            through: stage, deadline: start.advanced(by: .seconds(25)),
            preparing: { .init(notification, source: prepared) },
            completion: { continuation.yield($0) })
        defer { withExtendedLifetime(delivery) {} }
        for await answer in answers {
            return DeliveryResult(
                outcome: answer.outcome.kind.rawValue, reasons: answer.reasons.map(\.message),
                rung: answer.outcome.manifest?.rung, baseline: baseline?.bytes ?? 0,
                peak: recorder.peak(of: interval).bytes,
                seconds: start.duration(to: .now) / .seconds(1))
        }
        throw CancellationError()
    }
}
