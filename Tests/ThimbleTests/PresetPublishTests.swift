import AttachmentContainer
import AttachmentModel
import Foundation
import Randomness
import SampleMedia
import Testing

/// Every pair of presets, orientation, byte ceiling, engine, publishing and pruning, with workers.
@Suite("Pairs of presets, publishing and pruning", .timeLimit(.minutes(4)))
struct PresetPublishTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let presets: PresetSelection
        let orientation: Orientation
        let ceiling: Int
        let engine: String
        let publishing: Publishing
        let isPruned: Bool

        var testDescription: String {
            "\(presets) \(orientation) \(ceiling) \(engine) \(publishing) "
                + (isPruned ? "pruned" : "kept")
        }

        var command: String {
            "thimble process in.jpg --id x --container C --report json --engine \(engine) "
                + "--max-bytes \(ceiling) --preset \(presets) \(publishing.options)"
        }
    }

    enum Publishing: CaseIterable, Sendable {
        case none, container, store

        var options: String {
            switch self {
            case .none: ""
            case .container: "--publish-url https://e.com/r"
            case .store: "--publish Served --publish-url https://e.com/r"
            }
        }
    }

    private static let selections: [PresetSelection] = [
        [.content], [.avatar], [.content, .webPush], PresetSelection(Preset.allCases),
    ]
    private static let orientations: [Orientation] = [.upright, .rotated90, .transposed]

    static let cases: [Case] = Pairwise(
        [selections.count, orientations.count, 2, 2, Publishing.allCases.count, 2], seed: 184
    ).rows.map { row in
        Case(
            presets: selections[row[0]], orientation: orientations[row[1]],
            ceiling: [10_000_000, 12_000][row[2]], engine: ["auto", "libvips"][row[3]],
            publishing: Publishing.allCases[row[4]], isPruned: row[5] == 0)
    }

    @Test(
        "What is published outlives the notification, and is made again as it was",
        arguments: cases)
    func pair(_ example: Case) throws {
        try WorkingFolder.with { folder in
            try picture(example.orientation).write(to: folder.appending(path: "in.jpg"))
            let first = try ProcessOutput.attachment(run(example.command, in: folder))
            let renditions = first.manifest.renditions
            #expect(renditions.map(\.role) == example.presets.roles)
            #expect(renditions.allSatisfy { $0.bytes.bytes <= example.ceiling })
            #expect(first.manifest.source.orientation == example.orientation.rawValue)
            // Of a content extension alone, the device loads the expanded rendition.
            let published = example.publishing == .none ? [] : first.manifest.published
            #expect(published.isEmpty || example.presets == [.content] || published == renditions)
            let urls = Dictionary(uniqueKeysWithValues: published.map { ($0.role.rawValue, $0) })
            #expect(first.urls?.count ?? 0 == (urls.count > 1 ? urls.count : 0))
            for (role, rendition) in urls {
                let url = urls.count > 1 ? first.urls?[role] : first.url
                #expect(url?.hasSuffix(rendition.file) == true)
                #expect(isServed(rendition, example.publishing, in: folder))
            }
            guard example.isPruned else { return }
            // Older than the grace period, and not as old as published files may be.
            _ = try run(
                """
                find C -exec touch -d '2 days ago' {} +
                thimble container prune --container C --max-count 0
                """, in: folder)
            let manifests = folder.appending(path: "C/notifications").path
            #expect(try FileManager.default.subpathsOfDirectory(atPath: manifests).isEmpty)
            for rendition in renditions {
                #expect(
                    isServed(rendition, example.publishing, in: folder)
                        == published.contains(rendition))
            }
            let again = try ProcessOutput.attachment(run(example.command, in: folder))
            #expect(again.manifest.renditions == renditions && again.urls == first.urls)
            #expect(again.url == first.url)
            _ = try run("thimble container verify --container C", in: folder)
        }
    }

    /// Runs a command that must succeed, and returns its output.
    private func run(_ line: String, in folder: URL) throws -> String {
        let run = try Command.shell("set -e\n" + line, in: folder)
        try #require(run.code == 0, "\(run.errors)\(run.output)")
        return run.output
    }

    /// A sample picture with an orientation.
    private func picture(_ orientation: Orientation) throws -> Data {
        try Data(contentsOf: Command.package.appending(path: "Images/still-life-ready.jpg"))
            .withOrientation(UInt8(orientation.rawValue))
    }

    private func isServed(
        _ rendition: Manifest.Rendition, _ publishing: Publishing, in folder: URL
    ) -> Bool {
        let place = publishing == .store ? "Served" : "C/renditions"
        return FileManager.default.fileExists(
            atPath: folder.appending(path: "\(place)/\(rendition.file)").path)
    }
}
