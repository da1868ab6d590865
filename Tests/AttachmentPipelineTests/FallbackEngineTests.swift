import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import SampleMedia
import Testing

@Suite("Without a fallback engine")
struct FallbackEngineTests {
    @Test("Pictures by rows have the same renditions, and others an error that names the module")
    func without() async throws {
        try await ProcessorFixture.with { fixture in
            let size = PixelSize(width: 640, height: 480)
            try VipsFixture.gradient(size).write(
                to: fixture.url("rows.jpg"), with: "jpegsave_target")
            try Data(contentsOf: fixture.url("rows.jpg")).declaredAsRGB
                .write(to: fixture.url("rgb.jpg"))
            let processor = try AttachmentProcessor(
                settings: ProcessorFixture.settings, container: fixture.container)
            let made = try await processor.process(fixture.url("rows.jpg").path, identifier: "a")
            #expect(made.manifest.engine == "rows")
            let other = try SharedContainer.create(at: fixture.url("other"))
            let complete = try AttachmentProcessor(
                settings: ProcessorFixture.settings, container: other, fallback: .libvips)
            let same = try await complete.process(fixture.url("rows.jpg").path, identifier: "a")
            #expect(same.manifest.renditions == made.manifest.renditions)

            let path = fixture.url("rgb.jpg").path
            let request = AttachmentRequest(path: path, identifier: "b")
            for attempt in [
                { _ = try await processor.process(path, identifier: "b") },
                { _ = try await processor.inspect(request) },
            ] {
                let error = await #expect(throws: AttachmentError.self) { try await attempt() }
                #expect(error?.code == .needsLibvips && error?.file == path)
                #expect(error?.description.contains("AttachmentVips") == true)
            }
            #expect(try fixture.container.manifest(for: "b") == nil)
        }
    }
}
