import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import Logging
import SampleMedia

/// A folder with a container, and helpers for tests.
struct ProcessorFixture {
    /// The sample pictures of the package.
    static let images = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Images")

    let folder: URL
    let container: SharedContainer

    /// Creates a container, runs `body` with the fixture and removes everything.
    static func with<Value>(_ body: (ProcessorFixture) async throws -> Value) async throws -> Value
    {
        try await TemporaryFolder.with { folder in
            let container = try SharedContainer.create(at: folder.appending(path: "container"))
            return try await body(ProcessorFixture(folder: folder, container: container))
        }
    }

    /// The default settings, with a cap for the test process, which is larger than any extension.
    static var settings: ProcessingSettings {
        var settings = ProcessingSettings()
        settings.cap = MemoryCap(.mebibytes(4096))
        return settings
    }

    /// Processes a file.
    func process(
        _ name: String, identifier: String = "id",
        _ change: (inout ProcessingSettings) -> Void = { _ in }
    ) async throws -> ProcessedAttachment {
        var settings = Self.settings
        change(&settings)
        return try await processor(settings).process(url(name).path, identifier: identifier)
    }

    func processor(
        _ settings: ProcessingSettings = ProcessorFixture.settings,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) throws -> AttachmentProcessor {
        try AttachmentProcessor(
            settings: settings, container: container, fallback: .libvips, logger: logger)
    }

    /// Processes a file and expects an error.
    func refuse(
        _ name: String, _ change: (inout ProcessingSettings) -> Void = { _ in }
    ) async throws -> AttachmentError? {
        do {
            _ = try await process(name, change)
            return nil
        } catch let error as AttachmentError {
            return error
        }
    }

    func url(_ name: String) -> URL { folder.appending(path: name) }

    /// The decoded pixels of a rendition.
    func picture(_ role: RenditionRole, of manifest: Manifest) throws -> VipsImage {
        guard let rendition = manifest.rendition(role) else { throw CocoaError(.fileNoSuchFile) }
        return try VipsFixture.open(
            container.root.appending(path: "renditions").appending(path: rendition.file),
            with: RenditionType(rawValue: rendition.type)?.loader ?? .jpeg)
    }

    /// The bytes of a rendition.
    func bytes(_ role: RenditionRole, of manifest: Manifest) throws -> Data {
        guard let rendition = manifest.rendition(role) else { throw CocoaError(.fileNoSuchFile) }
        return try Data(
            contentsOf: container.root.appending(path: "renditions")
                .appending(path: rendition.file))
    }

    /// Unfinished files, which must not outlive their attachment.
    var incoming: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                atPath: container.root.appending(path: "incoming").path)
        }
    }
}

extension VipsImage {
    /// The samples of one pixel.
    func pixel(_ column: Int, _ row: Int) throws -> [Int] {
        let all = try samples()
        let start = (row * size.width + column) * bands
        return all[start..<start + bands].map(Int.init)
    }

    /// Largest difference of the samples of two pictures; 256 for different sizes or bands.
    func largestDifference(from other: VipsImage) throws -> Int {
        guard size == other.size, bands == other.bands else { return 256 }
        return SamplePixels.largestDifference(try samples(), try other.samples())
    }
}

extension RenditionType {
    fileprivate var loader: VipsLoader {
        switch self {
        case .gif: .gif
        case .jpeg: .jpeg
        case .png: .png
        }
    }
}
