import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import Testing

@Suite("The README and its guides", .timeLimit(.minutes(3)))
struct ReadmeTests {
    /// The README, then the guides that it links to.
    ///
    /// A guide's commands run after the README's commands, in the same folder.
    private static let documents = [
        "README.md",
        "Sources/Attachments/Model/AttachmentModel.docc/Presets.md",
        "Sources/Notifications/Delivery/NotificationDelivery.docc/FilteringPayloads.md",
        "Sources/Notifications/Delivery/NotificationDelivery.docc/ApplePlatforms.md",
        "Sources/Attachments/Pipeline/AttachmentPipeline.docc/AttachmentPipeline.md",
        "Sources/Attachments/Pipeline/AttachmentPipeline.docc/MovingPictures.md",
    ]

    /// Contents of the fenced blocks of a language.
    private func blocks(_ language: String) throws -> [String] {
        try Self.documents.flatMap { document -> [String] in
            let text = try String(
                contentsOf: Command.package.appending(path: document), encoding: .utf8)
            return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
                $0.components(separatedBy: "\n```").first
            }
        }
    }

    @Test("The README links to every guide")
    func links() throws {
        let readme = try String(
            contentsOf: Command.package.appending(path: "README.md"), encoding: .utf8)
        let paths = readme.components(separatedBy: "](").dropFirst()
            .compactMap { $0.components(separatedBy: ")").first }
            // The badge is a page of the hosting service.
            .filter { path in !["https://", "../../actions/"].contains(where: path.hasPrefix) }
        for path in paths {
            let file = Command.package.appending(path: path)
            #expect(FileManager.default.fileExists(atPath: file.path), "\(path)")
        }
        for document in Self.documents.dropFirst() { #expect(paths.contains(document)) }
    }

    @Test("Every command succeeds, in the documents' order")
    func commands() throws {
        let lines = try blocks("sh").flatMap { $0.split(separator: "\n").map(String.init) }
        #expect(lines.count >= 18)
        try WorkingFolder.with { folder in
            for line in lines {
                if line.hasPrefix("make ") {
                    // These targets run this test, so only their existence is checked.
                    let target = try Command.shell(line + " -n", in: Command.package)
                    #expect(target.code == 0, "\(line)")
                    continue
                }
                let run = try Command.shell(line, in: folder)
                // Two of the sample pictures are intentionally broken.
                let expected: Int32 = line.hasPrefix("thimble batch Images") ? 3 : 0
                #expect(run.code == expected, "\(line): \(run.errors)")
            }
        }
    }

    @Test("Every Swift listing names its products, and is compiled with these tests")
    func listings() throws {
        let compiled = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appending(path: "ReadmeListings.swift"), encoding: .utf8)
        // Others are for Apple's platforms; `make lint` type-checks them.
        let listings = try blocks("swift").filter { !$0.hasPrefix("import ") }
        #expect(listings.count == 5)
        for listing in listings {
            let code = try #require(Tutorial.code(of: listing), "\(listing)")
            #expect(compiled.contains(code), "\(listing)")
        }
    }

    @Test("The listings have the documented results")
    func listingsRun() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = Command.package.appending(path: "Images/lake-baseline.jpg").path
        let container = try SharedContainer.create(at: folder)
        var settings = ProcessingSettings()
        settings.cap = MemoryCap(.mebibytes(4096))
        let processor = try AttachmentProcessor(
            settings: settings, container: container, fallback: .libvips)
        _ = try await processor.process(path, identifier: "order-1042")
        // The process of the tests is larger than the listing's cap, so that it prints the remedy.
        try await makeRenditions(of: path, for: "order-1042", in: container)
        #expect(try container.manifest(for: "order-1042")?.rendition(.expanded) != nil)
        try show("order-1042", from: folder)
    }

    @Test("Animations and media are found as documented")
    func movingRuns() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try SharedContainer.create(at: folder)
        var settings = settingsForAnimations()
        settings.cap = MemoryCap(.mebibytes(4096))
        let processor = try AttachmentProcessor(
            settings: settings, container: container, fallback: .libvips)
        for name in ["aurora-animated.webp", "chime.wav"] {
            let path = Command.package.appending(path: "Images/\(name)").path
            _ = try await processor.process(path, identifier: name)
        }
        let moving = play("aurora-animated.webp", from: container)
        #expect(moving.animation?.type == "com.compuserve.gif" && moving.media == nil)
        let sound = play("chime.wav", from: container)
        #expect(sound.media?.duration == 1.5 && sound.animation == nil)
    }
}
