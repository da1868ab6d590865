import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import Testing

@Suite("Reuse of results", .timeLimit(.minutes(1)))
struct ReuseTests {
    @Test("A result is reused for the same bytes and settings, with any identifier")
    func recognition() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 1500, height: 500))
                .write(to: fixture.url("in.jpg"), with: "jpegsave_target")
            let first = try await fixture.process("in.jpg", identifier: "a")
            #expect(first.work == .made)
            let again = try await fixture.process("in.jpg", identifier: "a")
            #expect(again.work == .unchanged)
            #expect(again.manifest == first.manifest)
            let other = try await fixture.process("in.jpg", identifier: "b")
            #expect(other.work == .reused)
            #expect(other.manifest.renditions == first.manifest.renditions)
            #expect(try fixture.container.manifest(for: "b")?.identifier == "b")
        }
    }

    @Test("A digest that the caller has computed is not computed again")
    func knownDigest() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 1500, height: 500))
                .write(to: fixture.url("in.jpg"), with: "jpegsave_target")
            let path = fixture.url("in.jpg").path
            // Another digest than the file's, which shows where the file is read for it.
            let digest = ContentDigest(of: "received")
            for (work, identifier) in [(ProcessedAttachment.Work.made, "a"), (.reused, "b")] {
                let file = try AttachmentFile(
                    descriptor: open(path, O_RDONLY), path: path, digest: digest)
                #expect(try file.digest() == digest)
                var request = AttachmentRequest(path: path, identifier: identifier)
                request.file = file
                let done = try await fixture.processor().process(request)
                #expect(done.work == work)
                #expect(done.manifest.source.sha256 == digest)
            }
        }
    }

    @Test("Processing a notification again renews its age")
    func renewal() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 1500, height: 500))
                .write(to: fixture.url("in.jpg"), with: "jpegsave_target")
            _ = try await fixture.process("in.jpg", identifier: "a")
            let manifest = fixture.container.root
                .appending(path: "notifications/\(ContentDigest(of: "a")).json")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -86_400)],
                ofItemAtPath: manifest.path)
            #expect(try await fixture.process("in.jpg", identifier: "a").work == .unchanged)
            let report = try fixture.container.prune(
                try PruningPolicy(maximumAge: .seconds(3600), maximumCount: 0))
            #expect(report.removed == [:])
            #expect(try fixture.container.manifest(for: "a") != nil)
        }
    }

    @Test("A notification pruned during reuse is published again")
    func prunedMeanwhile() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 1500, height: 500))
                .write(to: fixture.url("in.jpg"), with: "jpegsave_target")
            let first = try await fixture.process("in.jpg", identifier: "a")
            let container = try SharedContainer.create(
                at: fixture.container.root, interposer: PruningInterposer())
            let processor = try AttachmentProcessor(
                settings: ProcessorFixture.settings, container: container, fallback: .libvips)
            let again = try await processor.process(fixture.url("in.jpg").path, identifier: "a")
            #expect(again.work == .reused)
            let manifest = try #require(try fixture.container.manifest(for: "a"))
            #expect(manifest.renditions == first.manifest.renditions)
        }
    }

    @Test("Other settings, other bytes or a lost rendition mean new work")
    func newWork() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 1500, height: 500))
                .write(to: fixture.url("in.jpg"), with: "jpegsave_target")
            let first = try await fixture.process("in.jpg")
            #expect(try await fixture.process("in.jpg") { $0.quality = 70 }.work == .made)
            let rendition = try #require(first.manifest.rendition(.banner)?.file)
            try FileManager.default.removeItem(
                at: fixture.container.root.appending(path: "renditions/\(rendition)"))
            #expect(try await fixture.process("in.jpg").work == .made)
            try VipsFixture.gradient(PixelSize(width: 1500, height: 501))
                .write(to: fixture.url("in.jpg"), with: "jpegsave_target")
            #expect(try await fixture.process("in.jpg").work == .made)
        }
    }

    @Test("Settings out of range are refused before any work")
    func invalidSettings() async throws {
        try await ProcessorFixture.with { fixture in
            var settings = ProcessingSettings()
            settings.quality = 101
            let error = #expect(throws: SettingsError.self) {
                try AttachmentProcessor(
                    settings: settings, container: fixture.container, fallback: .libvips)
            }
            #expect(error?.field == "quality")
        }
    }
}

/// Removes a manifest just before it is marked as used.
private struct PruningInterposer: SystemCallInterposer {
    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.ReturnValue
    ) -> SystemCall.ReturnValue {
        if call.name == .utimensat, call.path.contains("/notifications/") {
            try? FileManager.default.removeItem(atPath: call.path)
        }
        return body(.max)
    }
}
