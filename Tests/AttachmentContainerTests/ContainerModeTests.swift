import AttachmentContainer
import Foundation
import Testing

@Suite("Permissions of a container")
struct ContainerModeTests {
    @Test(
        "By default only the owner has access, regardless of the umask",
        arguments: [
            0o000, 0o022, 0o777,
        ] as [mode_t])
    func ownerOnly(mask: mode_t) throws {
        let fixture = try Self.make(umask: mask)
        defer { fixture.remove() }
        #expect(try fixture.modes == [0o600, 0o700])
    }

    @Test(
        "In a group-shared folder the group gets the folder's own permissions",
        arguments: [
            (0o2750, [0o640, 0o2750]), (0o2770, [0o660, 0o2770]), (0o770, [0o660, 0o2770]),
            (0o755, [0o600, 0o700]), (0o2700, [0o600, 0o700]),
        ] as [(mode_t, Set<mode_t>)])
    func group(folder: mode_t, modes: Set<mode_t>) throws {
        let fixture = try Self.make(umask: 0o077, folder: folder)
        defer { fixture.remove() }
        #expect(try fixture.modes == modes)
    }

    @Test("A requested mode overrides the folder's and applies to later writers")
    func asked() throws {
        let fixture = try Self.make(umask: 0o077, mode: "644")
        defer { fixture.remove() }
        #expect(try fixture.modes == [0o644, 0o2755])
        let later = try SharedContainer.open(at: fixture.root)
        try later.pin("id")
        #expect(try fixture.modes == [0o644, 0o2755])
        // Existing files keep their mode; folders and new files do not.
        let narrow = try #require(ContainerMode(octal: "600"))
        _ = try SharedContainer.create(at: fixture.root, mode: narrow)
        try Self.publish(in: SharedContainer.create(at: fixture.root), "after")
        #expect(try fixture.mode(of: "notifications/\(ContentDigest(of: "after")).json") == 0o600)
        #expect(try fixture.mode(of: "notifications") == 0o700)
        #expect(try fixture.mode(of: "notifications/\(ContentDigest(of: "id")).json") == 0o644)
    }

    @Test(
        "Unsupported permission bits are refused",
        arguments: [
            "400", "700", "620", "602", "646", "7600", "", "x", "-600", "0o600",
        ])
    func invalid(bits: String) {
        #expect(ContainerMode(octal: bits) == nil)
    }
}

extension ContainerModeTests {
    /// A container with a notification in it.
    private struct Fixture {
        let root: URL

        func remove() { try? FileManager.default.removeItem(at: root.deletingLastPathComponent()) }

        func mode(of name: String) throws -> mode_t {
            var status = stat()
            try #require(lstat(root.appending(path: name).path, &status) == 0)
            return status.st_mode & 0o7777
        }

        /// Modes of all files and folders below the root.
        var modes: Set<mode_t> {
            get throws {
                let names = FileManager.default.enumerator(atPath: root.path)
                var modes: Set<mode_t> = []
                while let name = names?.nextObject() as? String {
                    modes.insert(try mode(of: name))
                }
                return modes
            }
        }
    }

    /// Creates a container under a umask.
    ///
    /// The umask is process-wide, so these tests run serially.
    private static func make(
        umask mask: mode_t, folder: mode_t? = nil, mode: String? = nil
    ) throws -> Fixture {
        let above = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
        let fixture = Fixture(root: above.appending(path: "container"))
        if let folder {
            try FileManager.default.createDirectory(
                at: fixture.root, withIntermediateDirectories: true)
            try #require(chmod(fixture.root.path, folder) == 0)
        }
        let before = umask(mask)
        defer { umask(before) }
        let container = try SharedContainer.create(
            at: fixture.root, mode: mode.flatMap { ContainerMode(octal: $0) })
        try publish(in: container, "id")
        try container.pin("id")
        return fixture
    }

    private static func publish(in container: SharedContainer, _ identifier: String) throws {
        var publication = Publication(in: container)
        let file = try IncomingFile(in: container)
        try file.append(Data(identifier.utf8))
        let rendition = try publication.add(
            file, as: .expanded, type: .jpeg, size: PixelSize(width: 2, height: 1))
        let colour = Colour(red: 9, green: 9, blue: 9)
        try publication.commit(
            Manifest(
                identifier: identifier,
                source: Manifest.Source(
                    format: "jpeg", coding: "baseline", size: PixelSize(width: 2, height: 1),
                    bytes: ByteCount(1), sha256: ContentDigest(of: identifier)),
                settings: "5e77", renditions: [rendition], contentSizeRatio: 0.5,
                placeholder: ThumbHash(uniform: colour), averageColour: colour, rung: "streamed"))
    }
}
