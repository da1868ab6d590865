import AttachmentContainer
import Foundation
import SampleMedia
import Testing

@Suite("Sealing with every other option", .serialized, .timeLimit(.minutes(30)))
struct SealingPairTests {
    private static let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("thimble-sealing-\(UUID().uuidString)", isDirectory: true)

    /// True once the pictures are written; they are removed at the end of the process.
    private static let hasPictures: Bool = {
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true)
            atexit { try? FileManager.default.removeItem(at: SealingPairTests.folder) }
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("write_pictures.py").path
            let process = try Process.run(
                URL(fileURLWithPath: "/usr/bin/python3"), arguments: [script, folder.path])
            process.waitUntilExit()
            return process.terminationStatus == 0
        } catch {
            return false
        }
    }()

    /// Rows of several seeds have other combinations of three and more values.
    private static let cases = (1...(Thoroughness.isFull ? 12 : 1)).flatMap {
        SealingCase.pairwise(seed: $0)
    }

    @Test("A private picture shows what it shows in the clear, or gives a typed reason")
    func pairs() async throws {
        try #require(Self.hasPictures)
        var shown = 0
        for sealingCase in Self.cases {
            let run = SealingRun(
                sealingCase: sealingCase, pictures: Self.folder, key: SealingKey.random())
            let result = try await run.result()
            #expect(result.faults == [], "\(sealingCase)")
            shown += sealingCase.isSealed && result.isShown ? 1 : 0
        }
        // More than half of the cases may be shown sealed, if their ceiling and their cap allow it.
        #expect(shown > Self.cases.count / 4, "\(shown) of \(Self.cases.count) sealed and shown")
    }
}
