// The Swift listings of the tutorials; a test compares the two.

import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import AttachmentWorker
import Foundation
import NotificationDelivery
import NotificationPayload
import NotificationStaging

func processFolder(_ folder: URL, into root: URL) async throws -> [String] {
    let container = try SharedContainer.create(at: root)
    var settings = ProcessingSettings()
    (settings.width, settings.scale, settings.quality) = (393, 3, 75)
    let pool = try WorkerPool(settings: settings, container: container, workers: 2)
    let batch = try FolderBatch(folder: folder, container: container)
    var failures: [String] = []
    await batch.run(with: pool, jobs: 2) { result in
        switch result.outcome {
        case .done(let done): print("\(result.item.identifier): \(done.manifest.rung)")
        case .failed(let error), .unreadableFolder(let error):
            failures.append("\(result.item.identifier): \(error.reason)")
        case .notPicture: break
        }
    }
    await pool.close()
    return failures
}

func makeStager(
    _ pool: WorkerPool, _ settings: ProcessingSettings, allowing folder: URL
) throws -> PayloadStager {
    let stages = try DeliveryStages(settings: settings) { settings in
        var configuration = DeliveryStage.Configuration()
        configuration.handover = .inPlace
        configuration.allowedRoots = AllowedRoots([folder])
        return try DeliveryStage(
            container: pool.container, processor: pool, configuration: configuration)
    }
    return try PayloadStager(stages)
}

func stage(_ payload: [UInt8], by stager: PayloadStager) async -> [UInt8] {
    do throws(PayloadError) {
        let staged = try await stager.stage(try JSONDocument(parsing: payload))
        for reason in staged.answers.flatMap(\.reasons) { print(reason) }
        return staged.payload.bytes
    } catch {
        print("not a payload: \(error)")
        return payload
    }
}

func measure(_ work: () async throws -> Void) async rethrows -> ByteCount {
    let recorder = PeakRecorder()
    let interval = recorder.begin()
    defer { recorder.end(interval) }
    try await work()
    return recorder.peak(of: interval)
}
