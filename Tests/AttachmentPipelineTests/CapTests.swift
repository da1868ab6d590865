import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import Logging
import SampleMedia
import Testing

@Suite("Memory cap") struct CapTests {
    /// A cap above the test process's footprint.
    private func cap(leaving mebibytes: Double) throws -> MemoryCap {
        let footprint = try #require(Footprint.current()).bytes
        return MemoryCap(ByteCount(footprint + Int(mebibytes * 1_048_576)))
    }

    /// Writes a rotated JPEG, which is held in memory at the rendition's size.
    private func writeTurned(_ fixture: ProcessorFixture, preview: Data? = nil) throws {
        try VipsFixture.gradient(PixelSize(width: 2400, height: 1800))
            .write(to: fixture.url("plain.jpg"), with: "jpegsave_target")
        let plain = try Data(contentsOf: fixture.url("plain.jpg"))
        try plain.withExif(orientation: 6, thumbnail: preview).write(to: fixture.url("in.jpg"))
    }

    @Test("With enough memory a picture has its full size, and both peaks are reported")
    func fullSize() async throws {
        try await ProcessorFixture.with { fixture in
            try writeTurned(fixture)
            let done = try await fixture.process("in.jpg")
            let manifest = done.manifest
            #expect(manifest.rung == "streamed")
            #expect(manifest.notes.isEmpty)
            let predicted = try #require(manifest.predictedPeak)
            let measured = try #require(manifest.measuredPeak)
            // Equal if the heap had room for it.
            #expect(done.memory.baseline <= measured)
            #expect(done.memory.measuredPeak == measured)
            #expect(measured <= predicted)
        }
    }

    @Test("With less memory it is reduced with a note, and processed again given more")
    func reduced() async throws {
        try await ProcessorFixture.with { fixture in
            try writeTurned(fixture)
            let cap = try cap(leaving: 6)
            let small = try await fixture.process("in.jpg") {
                $0.cap = cap
                $0.maximumScratchBytes = ByteCount(0)
            }
            let size = try #require(small.manifest.rendition(.expanded)?.size)
            #expect(small.manifest.rung == "reduced")
            #expect(size.width < 1254 && size.width >= 264)
            #expect(small.manifest.notes == ["reduced to \(size) for the memory cap"])
            let full = try await fixture.process("in.jpg")
            #expect(full.work == .made)
            #expect(full.manifest.rung == "streamed")
            let again = try await fixture.process("in.jpg") { $0.cap = cap }
            #expect(again.work == .unchanged, "what is there is better than what could be made")
        }
    }

    @Test(
        "With less memory a rotated picture uses a scratch file, with the same result",
        arguments: [
            (ProcessingSettings.EngineChoice.automatic, "streamed"), (.libvips, "file-backed"),
        ])
    func scratch(engine: ProcessingSettings.EngineChoice, rung: String) async throws {
        try await ProcessorFixture.with { fixture in
            try writeTurned(fixture)
            let cap = try cap(leaving: 7)
            let small = try await fixture.process("in.jpg") {
                $0.cap = cap
                $0.engine = engine
            }
            #expect(small.manifest.rung == rung && small.manifest.notes == [])
            #expect(try fixture.incoming.isEmpty)
            let peak = try #require(small.manifest.measuredPeak)
            #expect(peak <= cap.footprint)
            let inMemory = try await fixture.process("in.jpg", identifier: "in memory") {
                $0.engine = engine
                $0.maximumScratchBytes = ByteCount(0)
                // Another setting, so that no result is reused; it has no effect on the quality.
                $0.maximumBytes = .megabytes(9)
            }
            #expect(inMemory.manifest.rung == "streamed")
            let digests = [small, inMemory].map { $0.manifest.rendition(.expanded)?.sha256 }
            #expect(digests[0] == digests[1])
        }
    }

    @Test("An unusable scratch folder is an error before any work")
    func unusableScratch() async throws {
        try await ProcessorFixture.with { fixture in
            try writeTurned(fixture)
            var settings = ProcessingSettings()
            settings.scratchFolder = fixture.url("nowhere").path
            let error = #expect(throws: SettingsError.self) {
                try AttachmentProcessor(
                    settings: settings, container: fixture.container, fallback: .libvips)
            }
            #expect(error?.field == "scratchFolder")
        }
    }

    @Test("With too little memory for anything else the embedded preview is published, upright")
    func preview() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 160, height: 120))
                .write(to: fixture.url("thumb.jpg"), with: "jpegsave_target")
            try VipsFixture.gradient(PixelSize(width: 3600, height: 2700))
                .write(
                    to: fixture.url("plain.jpg"), with: "jpegsave_target",
                    ["interlace": .bool(true)])
            // Progressive, which the library decodes as a whole.
            try Data(contentsOf: fixture.url("plain.jpg"))
                .withExif(
                    orientation: 6, thumbnail: try Data(contentsOf: fixture.url("thumb.jpg"))
                )
                .write(to: fixture.url("in.jpg"))
            let cap = try cap(leaving: 6)
            let manifest = try await fixture.process("in.jpg") {
                $0.cap = cap
                $0.decoder = .library
            }.manifest
            #expect(manifest.rung == "preview")
            #expect(manifest.rendition(.expanded)?.size == PixelSize(width: 120, height: 160))
            #expect(manifest.notes == ["the embedded preview, for the memory cap"])
        }
    }

    @Test("A picture that fits no rung is refused with figures, and nothing is left behind")
    func refused() async throws {
        try await ProcessorFixture.with { fixture in
            try writeTurned(fixture)
            let cap = try cap(leaving: 1)
            let error = try #require(try await fixture.refuse("in.jpg") { $0.cap = cap })
            #expect(error.code == .overCap)
            #expect(error.reason.contains("reduced"))
            #expect(error.code.remedy.contains("raise the cap"))
            #expect(try fixture.container.manifest(for: "id") == nil)
            #expect(try fixture.incoming.isEmpty)
        }
    }

    /// Writes progressive pictures, each of which the library decodes as a whole in 5 MB.
    private func writePictures(_ count: Int, _ fixture: ProcessorFixture) throws {
        for number in 0..<count {
            try VipsFixture.gradient(PixelSize(width: 1400 + number, height: 1000))
                .write(
                    to: fixture.url("\(number).jpg"), with: "jpegsave_target",
                    ["interlace": .bool(true)])
        }
    }

    /// Settings with which the library decodes pictures as a whole.
    private func settings(_ cap: MemoryCap) -> ProcessingSettings {
        var settings = ProcessingSettings()
        settings.cap = cap
        settings.decoder = .library
        return settings
    }

    @Test("Concurrent attachments stay under the cap")
    func together() async throws {
        try await ProcessorFixture.with { fixture in
            try writePictures(8, fixture)
            let cap = try cap(leaving: 20)
            let processor = try fixture.processor(settings(cap))
            let recorder = PeakRecorder()
            let interval = recorder.begin()
            try await withThrowingTaskGroup(of: ProcessedAttachment.self) { group in
                for number in 0..<8 {
                    let path = fixture.url("\(number).jpg").path
                    group.addTask { try await processor.process(path, identifier: "\(number)") }
                }
                for try await done in group { #expect(done.manifest.rung == "whole-picture") }
            }
            #expect(recorder.peak(of: interval) <= cap.footprint)
            recorder.end(interval)
        }
    }

    @Test("Attachments that ran together leave less memory than one of them uses")
    func leftBehind() async throws {
        try await ProcessorFixture.with { fixture in
            try writePictures(5, fixture)
            var processor = try fixture.processor(settings(cap(leaving: 80)))
            _ = try await processor.process(fixture.url("4.jpg").path, identifier: "warm")
            let before = try #require(Footprint.current())
            let begun = Lock(0)
            processor.willDecode = { _, _ in
                begun.withLock { $0 += 1 }
                // Four threads, whatever the number of cores.
                while begun.withLock(\.self) < 4 { usleep(1000) }
            }
            try await withThrowingTaskGroup(of: ProcessedAttachment.self) { [processor] group in
                for number in 0..<4 {
                    let path = fixture.url("\(number).jpg").path
                    group.addTask { try await processor.process(path, identifier: "\(number)") }
                }
                try await group.waitForAll()
            }
            let after = try #require(Footprint.current())
            #expect(after.bytes - before.bytes < 5_000_000)
        }
    }

    @Test("An attachment that waited is refused if the app has taken its memory by then")
    func plannedAgain() async throws {
        try await ProcessorFixture.with { fixture in
            try writePictures(3, fixture)
            // Afterwards the heap has no free memory that the ballast could take.
            _ = try await fixture.processor(settings(cap(leaving: 80)))
                .process(fixture.url("2.jpg").path, identifier: "warm")
            let plans = PlanLog()
            var processor = try fixture.processor(
                settings(cap(leaving: 12)), logger: Logger(label: "test") { _ in plans })
            let ballast = Lock([UInt8]())
            processor.willDecode = { _, _ in
                guard ballast.withLock(\.isEmpty) else { return }
                // The other is planned for the memory of now, and waits.
                while plans.count < 2 { usleep(1000) }
                usleep(100_000)
                ballast.withLock { $0 = Array(repeating: 1, count: 8 << 20) }
            }
            let outcomes = await withTaskGroup(of: AttachmentError.Code?.self) {
                [processor] group in
                for number in 0..<2 {
                    let path = fixture.url("\(number).jpg").path
                    group.addTask {
                        do throws(AttachmentError) {
                            _ = try await processor.process(path, identifier: "\(number)")
                            return nil
                        } catch {
                            return error.code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            // A refusal may come before the other's publication.
            #expect(outcomes.contains(nil) && outcomes.contains(.overCap))
            #expect(ballast.withLock(\.count) == 8 << 20)
        }
    }
}

/// Counts the plans that a processor logs.
private final class PlanLog: LogHandler {
    private let plans = Lock(0)

    var count: Int { plans.withLock(\.self) }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .debug }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        if event.message == "planned" { plans.withLock { $0 += 1 } }
    }
}

extension Data {
    /// Adds an Exif segment with an orientation and, in its second directory, a thumbnail.
    fileprivate func withExif(orientation: UInt8, thumbnail: Data?) -> Data {
        guard let thumbnail else { return withOrientation(orientation) }
        func little(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        // Little-endian TIFF: one entry (0x0112), then a directory of two (0x0201, 0x0202).
        let second = 8 + 2 + 12 + 4
        let jpeg = second + 2 + 24 + 4
        var tiff: [UInt8] = Array("II*\0".utf8) + little(8, 4)
        tiff += little(1, 2) + little(0x0112, 2) + little(3, 2) + little(1, 4)
        tiff += [orientation, 0, 0, 0] + little(second, 4)
        tiff += little(2, 2) + little(0x0201, 2) + little(4, 2) + little(1, 4) + little(jpeg, 4)
        tiff += little(0x0202, 2) + little(4, 2) + little(1, 4) + little(thumbnail.count, 4)
        tiff += little(0, 4)
        let body = Array("Exif\0\0".utf8) + tiff + thumbnail
        let length = body.count + 2
        return prefix(2) + Data([0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)]) + Data(body)
            + dropFirst(2)
    }
}
