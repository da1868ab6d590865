import AttachmentContainer
import Foundation
import Testing

/// A container in a temporary folder, removed on deinitialisation.
final class ContainerFixture: Sendable {
    let folder: URL
    let container: SharedContainer

    init(waitingForVolume waits: Bool = true) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)", directoryHint: .isDirectory)
        container = try SharedContainer.create(
            at: folder, interposer: waits ? nil : CallInterposer { _, _ in .system })
    }

    /// The same container with a system-call interposer.
    func interposed(_ interposer: CallInterposer) throws -> SharedContainer {
        try SharedContainer.create(at: folder, interposer: interposer)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func findings() -> [Finding] {
        var findings: [Finding] = []
        container.verify { if case .finding(let finding) = $0 { findings.append(finding) } }
        return findings
    }

    /// Publishes placeholder files: text with role, size and `text`.
    @discardableResult
    func publish(
        _ identifier: String, _ sizes: [(RenditionRole, PixelSize)] = ContainerFixture.sizes,
        text: String = "", settings: String = "5e77", ratio: Double = 0.75, notes: [String] = []
    ) throws -> Manifest {
        var publication = Publication(in: container)
        var renditions: [Manifest.Rendition] = []
        for (role, size) in sizes {
            let file = try IncomingFile(in: container)
            try file.append(Data("\(role.rawValue) \(size) \(text)".utf8))
            renditions.append(try publication.add(file, as: role, type: .jpeg, size: size))
        }
        let manifest = try Self.manifest(
            identifier, renditions, source: text, settings: settings, ratio: ratio, notes: notes)
        try publication.commit(manifest)
        return manifest
    }

    /// Publishes a movie with a duration in seconds.
    @discardableResult
    func publish(_ identifier: String, duration: Double) throws -> Manifest {
        var publication = Publication(in: container)
        let file = try IncomingFile(in: container)
        try file.append(Data("movie".utf8))
        let rendition = try publication.add(file, media: .mpeg4, size: nil, duration: duration)
        let manifest = try Self.manifest(identifier, [rendition], source: identifier)
        try publication.commit(manifest)
        return manifest
    }

    static let sizes: [(RenditionRole, PixelSize)] = [
        (.expanded, PixelSize(width: 1320, height: 990)),
        (.banner, PixelSize(width: 264, height: 264)),
    ]

    static func manifest(
        _ identifier: String, _ renditions: [Manifest.Rendition] = [], source: String = "",
        settings: String = "5e77", ratio: Double = 0.75, notes: [String] = []
    ) throws -> Manifest {
        Manifest(
            identifier: identifier, category: "photo",
            source: Manifest.Source(
                format: "jpeg", coding: "progressive", size: PixelSize(width: 3024, height: 4032),
                orientation: 6, bytes: .megabytes(4), sha256: ContentDigest(of: source), frames: nil
            ),
            settings: settings, renditions: renditions, contentSizeRatio: ratio,
            placeholder: try #require(ThumbHash(width: 1, height: 1, rgba: [200, 80, 40, 255])),
            averageColour: Colour(red: 200, green: 80, blue: 40), rung: "streamed",
            predictedPeak: .megabytes(9), notes: notes)
    }

    /// Sorted paths of all files, relative to a folder of the container.
    func files(in name: String) throws -> [String] {
        let entries = FileManager.default.enumerator(
            at: url(name), includingPropertiesForKeys: [.isRegularFileKey])
        let prefix = url(name).standardizedFileURL.path + "/"
        return try (entries?.compactMap { $0 as? URL } ?? []).filter {
            try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        }.map { String($0.standardizedFileURL.path.dropFirst(prefix.count)) }.sorted()
    }

    func path(_ name: String) -> String { folder.path + "/" + name }

    func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: url(name))
    }

    /// Edits the top-level object of a JSON file.
    func edit(_ name: String, _ change: (inout [String: Any]) throws -> Void) throws {
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: url(name)))
        var object = try #require(json as? [String: Any])
        try change(&object)
        try JSONSerialization.data(withJSONObject: object).write(to: url(name))
    }

    /// The file of a notification's manifest.
    func manifestFile(_ identifier: String) -> String {
        "notifications/\(ContentDigest(of: identifier)).json"
    }

    /// Sets a file's modification time back.
    func age(_ name: String, by seconds: Double) throws {
        try FileManager.default.setAttributes(
            [
                .modificationDate: Date(
                    timeIntervalSince1970: (Date().timeIntervalSince1970 - seconds).rounded(.down))
            ], ofItemAtPath: path(name))
    }
}
