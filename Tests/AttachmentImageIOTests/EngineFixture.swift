import AttachmentContainer
import AttachmentImageIO
import AttachmentModel
import AttachmentPipeline
import Foundation

/// A folder with a container, and a processor with the scripted decoder.
struct EngineFixture {
    let folder: URL
    let container: SharedContainer
    var settings = ProcessingSettings()

    static func with<Value>(_ body: (EngineFixture) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try SharedContainer.create(at: folder.appending(path: "container"))
        var fixture = EngineFixture(folder: folder, container: container)
        fixture.settings.cap = MemoryCap(.mebibytes(4096))
        fixture.settings.maximumScratchBytes = ByteCount(0)
        return try await body(fixture)
    }

    /// Writes a file, and returns its path.
    func file(_ bytes: Data, _ name: String = "attachment") throws -> String {
        let url = folder.appending(path: name)
        try bytes.write(to: url)
        return url.path
    }

    func processor(
        _ decoder: ScriptedDecoder, reserve: ByteCount = ByteCount(0)
    ) throws -> AttachmentProcessor {
        try AttachmentProcessor(
            settings: settings, container: container,
            fallback: FallbackEngine(SystemEngine(decoder)), reserve: reserve)
    }

    /// Files of renditions, finished or not, and of manifests.
    var files: [String] {
        get throws {
            try ["renditions", "incoming", "notifications", "results"].flatMap { name in
                let path = container.root.appending(path: name).path
                return try FileManager.default.subpathsOfDirectory(atPath: path).filter {
                    var isFolder: ObjCBool = false
                    _ = FileManager.default.fileExists(
                        atPath: "\(path)/\($0)", isDirectory: &isFolder)
                    return !isFolder.boolValue
                }
            }
        }
    }

    func rendition(
        _ role: RenditionRole, of done: ProcessedAttachment
    ) -> Manifest.Rendition? { done.manifest.renditions.first { $0.role == role } }
}
