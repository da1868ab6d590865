import AttachmentContainer
import Foundation

extension FuzzTarget {
    /// Manifest parsers, reading from a container.
    static let manifests = [
        FuzzTarget("manifest", seeds: sampleManifests) { input in
            do {
                // Written in place: an attacker does not follow the container's protocol.
                let key = ContentDigest(of: identifier)
                try Data(input.bytes).write(
                    to: container.root.appending(path: "notifications/\(key).json"))
            } catch {
                fatalError("the container cannot be written to: \(error)")
            }
            if let manifest = try? container.manifest(for: identifier) {
                precondition(manifest.identifier == identifier)
            }
            let display = Display(width: 440, scale: 3)
            let content = container.content(for: identifier, on: display)
            precondition(content.contentSizeRatio.isFinite && content.contentSizeRatio > 0)
            precondition(content.placeholder.raster().rgba.count > 0)
            container.verify { _ in }
        }
    ]

    private static let identifier = "input"

    /// A container with one notification, in memory.
    private static let container: SharedContainer = {
        let folder = URL(fileURLWithPath: "/dev/shm/thimble-fuzz-container", isDirectory: true)
        try? FileManager.default.removeItem(at: folder)
        do {
            let container = try SharedContainer.create(at: folder)
            try publish(in: container)
            return container
        } catch {
            fatalError("no container can be created in /dev/shm: \(error)")
        }
    }()

    /// A published manifest.
    private static func sampleManifests() -> [[UInt8]] {
        let folder = container.root.appending(path: "notifications")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap { name in
            (try? Data(contentsOf: folder.appending(path: name))).map { [UInt8]($0) }
        }
    }

    private static func publish(in container: SharedContainer) throws {
        var publication = Publication(in: container)
        let (size, grey) = (PixelSize(width: 4, height: 3), Colour(red: 9, green: 9, blue: 9))
        let renditions = try [RenditionRole.expanded, .banner].map { role in
            let file = try IncomingFile(in: container)
            try file.append(Data(role.rawValue.utf8))
            return try publication.add(
                file, as: role, type: .jpeg, size: size,
                crop: UnitRectangle(x: 0, y: 0.25, width: 1, height: 0.5))
        }
        try publication.commit(
            Manifest(
                identifier: identifier, category: "c",
                source: Manifest.Source(
                    format: "jpeg", coding: "baseline", size: size, bytes: ByteCount(9),
                    sha256: ContentDigest(of: "source")),
                settings: "s", renditions: renditions, contentSizeRatio: 0.75,
                placeholder: ThumbHash(uniform: grey), averageColour: grey, rung: "streamed",
                notes: ["n"]))
    }
}
