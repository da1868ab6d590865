import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
@testable import thimble
import WorkerProtocol
import Testing

/// `Tests/Support/PBMWorker` adds a format by one folder and one line in the list of formats.
@Suite("A new format", .serialized, .timeLimit(.minutes(2)))
struct NewFormatTests {
    @Test(
        "is planned, decoded in a sandboxed worker within the cap and the prediction, and published",
        arguments: [MemoryCap.serviceExtension, .legacyServiceExtension])
    func processed(cap: MemoryCap) async throws {
        try await Self.withFolder { folder in
            let picture = folder.appending(path: "chequered.pbm")
            try Self.write(width: 4001, height: 3000, to: picture)
            let container = try SharedContainer.create(at: folder.appending(path: "container"))
            var settings = ProcessingSettings()
            settings.cap = cap
            let pool = try WorkerPool(
                settings: settings, container: container, workers: 1, executable: Self.worker)
            let done = try await pool.process(
                AttachmentRequest(path: picture.path, identifier: "bits"))
            await pool.close()
            #expect(done.manifest.source.format == "pbm" && done.manifest.source.coding == "packed")
            #expect(done.manifest.rung == Rung.bounded.rawValue)
            let expanded = try #require(done.manifest.rendition(.expanded))
            #expect(expanded.size == PixelSize(width: 1320, height: 990))
            #expect(done.manifest.rendition(.banner) != nil)
            // Half of the pixels are black.
            #expect(abs(Int(done.manifest.averageColour.red) - 128) < 4)
            let memory = done.memory
            #expect(memory.measuredPeak <= (memory.predictedPeak ?? ByteCount(0)))
            #expect(memory.measuredPeak < cap.footprint)
            #expect(try Array(container.manifests()).count == 1)
        }
    }

    @Test("is inspected, and refused where it is damaged or unknown")
    func inspected() async throws {
        try await Self.withFolder { folder in
            let picture = folder.appending(path: "chequered.pbm")
            try Self.write(width: 640, height: 480, to: picture)
            let whole = try Data(contentsOf: picture)
            try whole.dropLast(100).write(to: folder.appending(path: "cut.pbm"))
            try Data("P4\n12x".utf8).write(to: folder.appending(path: "broken.pbm"))
            let inspector = try AttachmentInspector(
                settings: ProcessingSettings(), executable: Self.worker)
            let found = try await inspector.inspect(picture.path)
            guard case .picture(let header) = found.content else {
                Issue.record("it is not a picture")
                return
            }
            #expect(header.format.rawValue == "pbm" && header.coding == "packed")
            #expect(header.storedSize == PixelSize(width: 640, height: 480))
            #expect(header.colourModel == .grey && header.bitsPerSample == 1)
            #expect(found.steps.contains { $0.isChosen && $0.rung == .bounded })
            await #expect(throws: AttachmentError.self) {
                try await inspector.inspect(folder.appending(path: "broken.pbm").path)
            }
            await inspector.close()

            let container = try SharedContainer.create(at: folder.appending(path: "container"))
            let pool = try WorkerPool(
                settings: ProcessingSettings(), container: container, workers: 1,
                executable: Self.worker)
            let cut = folder.appending(path: "cut.pbm").path
            #expect(await Self.code(of: pool, cut) == .truncated)
            #expect(pool.statistics.lost == 0)
            await pool.close()
            let standard = try WorkerPool(
                settings: ProcessingSettings(), container: container, workers: 1)
            #expect(await Self.code(of: standard, picture.path) == .unsupported)
            await standard.close()
        }
    }

    @Test("is measured by the benchmark")
    func measured() async throws {
        try await Self.withFolder { folder in
            try Self.write(
                width: 640, height: 480, to: folder.appending(path: "chequered.pbm"))
            try Data("no picture".utf8).write(to: folder.appending(path: "notes.txt"))
            let inspector = try AttachmentInspector(
                settings: ProcessingSettings(), executable: Self.worker)
            let files = try await BenchmarkFile.all(in: folder) {
                try await inspector.inspect($0).content
            }
            await inspector.close()
            #expect(files.map(\.name) == ["chequered.pbm"])
            #expect(files.first?.outputExtension == "jpg")
        }
    }

    private static let worker = URL(fileURLWithPath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "pbm-worker")

    private static func code(of pool: WorkerPool, _ path: String) async -> AttachmentError.Code? {
        do throws(AttachmentError) {
            _ = try await pool.process(AttachmentRequest(path: path, identifier: "bits"))
            return nil
        } catch {
            return error.code
        }
    }

    /// Writes columns of eight black and eight white pixels.
    private static func write(width: Int, height: Int, to url: URL) throws {
        let row = (0..<(width + 7) / 8).map { UInt8($0 % 2 == 0 ? 0xFF : 0) }
        var file = Data("P4\n\(width) \(height)\n".utf8)
        for _ in 0..<height { file.append(contentsOf: row) }
        try file.write(to: url)
    }

    private static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }
}
