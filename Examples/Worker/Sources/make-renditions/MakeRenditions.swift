import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation

/// Makes the renditions of a picture in a worker under a hard cap.
///
///     make-renditions PICTURE CONTAINER
@main
struct MakeRenditions {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: make-renditions PICTURE CONTAINER")
            exit(64)
        }
        do {
            try await makeRenditions(of: arguments[1], in: URL(fileURLWithPath: arguments[2]))
        } catch {
            // Reason and remedy.
            print("error: \(error)")
            exit(1)
        }
    }

    private static func makeRenditions(of picture: String, in folder: URL) async throws {
        let container = try SharedContainer.create(at: folder)
        var settings = ProcessingSettings()
        settings.cap = MemoryCap(.mebibytes(24))
        let pool = try WorkerPool(settings: settings, container: container)
        let done = try await pool.process(picture, identifier: "first")
        await pool.close()
        for rendition in done.manifest.renditions {
            print("\(rendition.role.rawValue)  \(rendition.size)  \(rendition.bytes)")
        }
        print("peak  \(done.memory.measuredPeak) of \(settings.cap.footprint)")
    }
}
