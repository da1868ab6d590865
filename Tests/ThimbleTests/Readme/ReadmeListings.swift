// The Swift listings of the README and its guides; a test compares the two.

import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentPublishing
import AttachmentVips
import AttachmentWorker
import Foundation

func makeRenditions(ofFolder folder: URL, in root: URL) async throws {
    let container = try SharedContainer.create(at: root)
    let pool = try WorkerPool(settings: ProcessingSettings(), container: container, workers: 2)
    let batch = try FolderBatch(folder: folder, container: container)
    await batch.run(with: pool, jobs: 2) { result in
        if case .failed(let error) = result.outcome { print(error) }
    }
    await pool.close()
}

func makeRenditions(
    of path: String, for identifier: String, in container: SharedContainer
) async throws {
    let processor = try AttachmentProcessor(
        settings: ProcessingSettings(), container: container, fallback: .libvips)
    do throws(AttachmentError) {
        let done = try await processor.process(path, identifier: identifier, category: "photo")
        print("expanded \(done.manifest.rendition(.expanded)?.size.description ?? "-")")
    } catch {
        print("deliver without a picture: \(error)")
    }
}

func show(_ identifier: String, from folder: URL) throws {
    let container = try SharedContainer.open(at: folder)
    let display = Display(width: 393, scale: 3)
    let content = container.content(for: identifier, on: display)
    let height = display.width * content.contentSizeRatio
    print("height \(height), background \(content.averageColour)")
    print(content.picture?.url.path ?? "only the placeholder")
}

func settingsForAnimations() -> ProcessingSettings {
    var settings = ProcessingSettings()
    settings.animationRenderBudget = .mebibytes(16)
    settings.animationLimits.seconds = 60
    return settings
}

func play(_ identifier: String, from container: SharedContainer) -> DisplayContent {
    let display = Display(width: 393, scale: 3, renderBudget: .mebibytes(8))
    let content = container.content(for: identifier, on: display)
    print(content.animation?.url.path ?? "nothing moves")
    print(content.media?.url.path ?? "nothing to play")
    return content
}
