import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import AttachmentPublishing
import AttachmentWorker
import Foundation

/// The Swift code of the README and its guides.
///
/// A test compares the two.
enum ReadmeSnippets {
    static func batch() async throws {
        let container = try SharedContainer.create(at: URL(fileURLWithPath: "Container"))
        let pool = try WorkerPool(settings: ProcessingSettings(), container: container, workers: 2)
        let batch = try FolderBatch(folder: URL(fileURLWithPath: "Images"), container: container)
        await batch.run(with: pool, jobs: 2) { result in
            if case .failed(let error) = result.outcome { print(error) }
        }
    }

    static func beforeDelivery(path: String, identifier: String, in folder: URL) async throws {
        let container = try SharedContainer.create(at: folder)
        let processor = try AttachmentProcessor(
            settings: ProcessingSettings(), container: container, fallback: .libvips)
        do throws(AttachmentError) {
            let done = try await processor.process(path, identifier: identifier, category: "photo")
            print("expanded \(done.manifest.rendition(.expanded)?.size.description ?? "-")")
        } catch {
            print("deliver without a picture: \(error)")
        }
    }

    static func benchmark(
        _ processor: some AttachmentProcessing, path: String, identifier: String
    ) async throws {
        let recorder = PeakRecorder()
        let interval = recorder.begin()
        _ = try await processor.process(path, identifier: identifier)
        print("peak footprint \(recorder.peak(of: interval))")
        recorder.end(interval)
    }

    static func inTheContentExtension(_ folder: URL, identifier: String) throws {
        let container = try SharedContainer.open(at: folder)
        let display = Display(width: 393, scale: 3)
        let content = container.content(for: identifier, on: display)
        let height = display.width * content.contentSizeRatio
        print("height \(height), background \(content.averageColour)")
        print(content.picture?.url.path ?? "only the placeholder")
    }

    static func moving() -> ProcessingSettings {
        var settings = ProcessingSettings()
        settings.animationRenderBudget = .mebibytes(16)
        settings.animationLimits.seconds = 60
        return settings
    }

    static func playing(_ container: SharedContainer, identifier: String) -> DisplayContent {
        let display = Display(width: 393, scale: 3, renderBudget: .mebibytes(8))
        let content = container.content(for: identifier, on: display)
        print(content.animation?.url.path ?? "nothing moves")
        print(content.media?.url.path ?? "nothing to play")
        return content
    }
}
