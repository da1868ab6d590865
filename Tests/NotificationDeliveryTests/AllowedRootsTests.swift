import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("Allowed roots", .timeLimit(.minutes(1)))
final class AllowedRootsTests: Sendable {
    /// An allowed folder `inside/` and a folder `outside/` beside it.
    private let fixture: StageFixture
    private let inside: URL
    private let outside: URL
    private let roots: AllowedRoots

    init() throws {
        fixture = try StageFixture()
        inside = fixture.folder.appending(path: "inside")
        outside = fixture.folder.appending(path: "outside")
        for folder in [inside.appending(path: "deep/er"), outside] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        for file in [inside.appending(path: "deep/er/a.jpg"), outside.appending(path: "b.jpg")] {
            try Data("bytes".utf8).write(to: file)
        }
        roots = AllowedRoots([inside])
    }

    deinit { fixture.remove() }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: inside.appending(path: name).path, withDestinationPath: target)
    }

    private func refusal(_ path: String, by roots: AllowedRoots? = nil) -> DeliveryReason.Code? {
        do {
            _ = try (roots ?? self.roots).open(URL(fileURLWithPath: path))
            return nil
        } catch {
            return error.code
        }
    }

    private func reason(inside name: String) -> DeliveryReason? {
        do {
            _ = try roots.open(URL(fileURLWithPath: inside.path + "/" + name))
            return nil
        } catch {
            return error
        }
    }

    private func refusal(inside name: String) -> DeliveryReason.Code? {
        refusal(inside.path + "/" + name)
    }

    @Test(
        "Files inside are opened, in any spelling of the path",
        arguments: ["deep/er/a.jpg", "deep/./er/a.jpg", "deep//er/a.jpg", "deep/er/../er/a.jpg"])
    func opened(name: String) throws {
        let file = try roots.open(URL(fileURLWithPath: inside.path + "/" + name))
        #expect(file.path.hasSuffix("/inside/deep/er/a.jpg"))
    }

    @Test("Relative and absolute links that stay inside are followed, to files and folders")
    func inner() throws {
        try link("relative", to: "deep/er/a.jpg")
        try link("absolute", to: inside.appending(path: "deep/er/a.jpg").path)
        try link("folder", to: "deep")
        for name in ["relative", "absolute", "folder/er/a.jpg", "folder/../deep/er/a.jpg"] {
            #expect(refusal(inside: name) == nil)
        }
    }

    @Test("The allowed folder itself may be a link")
    func linkedRoot() throws {
        let other = fixture.folder.appending(path: "other")
        try FileManager.default.createSymbolicLink(at: other, withDestinationURL: inside)
        #expect(refusal(other.path + "/deep/er/a.jpg") == nil)
        #expect(refusal(inside.path + "/deep/er/a.jpg", by: AllowedRoots([other])) == nil)
        #expect(refusal(other.path + "/../outside/b.jpg", by: AllowedRoots([other])) != nil)
    }

    @Test("A path outside is rejected, whether or not it exists")
    func outsideRoots() {
        for path in [
            outside.path + "/b.jpg", outside.path + "/none.jpg", "/etc/passwd", "/none", "/",
            inside.path + "/../outside/b.jpg", inside.path + "/deep/../../outside/none.jpg",
            // A name that only starts with the folder's.
            inside.path + "side/a.jpg",
        ] {
            #expect(refusal(path) == .outsideRoots)
        }
        #expect(refusal(inside.path + "/deep/er/a.jpg", by: AllowedRoots([])) == .outsideRoots)
    }

    /// Equal as text in Swift, and two folders for the system.
    @Test("A folder of a canonically equivalent name is another folder")
    func spelling() throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        for name in [composed, decomposed] {
            let folder = fixture.folder.appending(path: name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("bytes".utf8).write(to: folder.appending(path: "a.jpg"))
        }
        let root = fixture.folder.path + "/" + composed
        let roots = AllowedRoots([URL(fileURLWithPath: root)])
        #expect(refusal(root + "/a.jpg", by: roots) == nil)
        #expect(
            refusal(fixture.folder.path + "/\(decomposed)/a.jpg", by: roots) == .outsideRoots)
        try FileManager.default.createSymbolicLink(
            atPath: root + "/link", withDestinationPath: "../\(decomposed)/a.jpg")
        #expect(refusal(root + "/link", by: roots) == .linkLeadsOut)
    }

    @Test("A name that begins with a combining mark is a name, and one that is not UTF-8 too")
    func names() throws {
        let folder = inside.path + "/\u{301}a"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        try Data("bytes".utf8).write(to: URL(fileURLWithPath: folder + "/\u{32F}b.jpg"))
        #expect(refusal(folder + "/\u{32F}b.jpg") == nil)
        #expect(refusal(folder + "/../\u{301}a/\u{32F}b.jpg") == nil)
        #expect(refusal(inside.path + "/../\u{301}a/b.jpg") == .outsideRoots)
        let target = (Array(inside.path.utf8) + Array("/".utf8) + [0xFF]).map(
            CChar.init(bitPattern:))
        let descriptor = creat(target + [0], 0o600)
        #expect(descriptor >= 0)
        close(descriptor)
        #expect(symlink(target + [0], inside.path + "/bytes") == 0)
        #expect(refusal(inside: "bytes") == nil)
    }

    @Test("A link that leads outside is rejected, at the end of the path or within it")
    func linkLeadsOut() throws {
        try link("file", to: outside.appending(path: "b.jpg").path)
        try link("folder", to: "../outside")
        try link("twice", to: "file")
        for name in ["file", "folder/b.jpg", "twice"] {
            #expect(refusal(inside: name) == .linkLeadsOut)
        }
        try link("circle", to: "circle")
        #expect(refusal(inside: "circle") == .linkLeadsOut)
        try link("nowhere", to: "none")
        #expect(refusal(inside: "nowhere") == .missing)
    }

    @Test("A link that leads outside tells nothing of what is there")
    func oracle() throws {
        let locked = outside.appending(path: "locked")
        try FileManager.default.createDirectory(at: locked, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked.path)
        for (index, target) in [
            "b.jpg", "none.jpg", "none/none.jpg", "b.jpg/none", "locked/none.jpg", ".",
            String(repeating: "long", count: 100),
        ].enumerated() {
            try link("file\(index)", to: outside.appending(path: target).path)
            try link("relative\(index)", to: "../outside/\(target)")
            try link("twice\(index)", to: "relative\(index)")
        }
        try link("folder", to: outside.path)
        try link("nowhere", to: outside.appending(path: "none").path)
        try link("up", to: "..")
        var names = ["folder/b.jpg", "folder/none.jpg", "folder/none/../b.jpg", "folder/b.jpg/a"]
        names += ["nowhere/b.jpg", "nowhere/../b.jpg", "up/outside/b.jpg", "up/outside/none.jpg"]
        names += ["up/none", "folder/locked/none.jpg", "folder/../none.jpg"]
        for index in 0..<7 { names += ["file\(index)", "relative\(index)", "twice\(index)"] }
        for name in names {
            #expect(refusal(inside: name) == .linkLeadsOut, "\(name)")
        }
        let messages = Set(names.compactMap { reason(inside: $0)?.message })
        #expect(messages.count == 1)
    }

    @Test("A link to a missing file inside is reported as missing")
    func missingTarget() throws {
        try link("absolute", to: inside.appending(path: "none.jpg").path)
        try link("relative", to: "../inside/deep/none.jpg")
        try link("chain", to: "relative")
        try link("folder", to: "deep")
        for name in ["absolute", "relative", "chain", "folder/er/none.jpg", "folder/er/a.jpg/b"] {
            #expect(refusal(inside: name) == .missing, "\(name)")
        }
        #expect(
            refusal("/none/a.jpg", by: AllowedRoots([URL(fileURLWithPath: "/none")])) == .missing)
    }

    @Test("A folder, a pipe, a socket and a device are rejected without blocking")
    func notRegular() throws {
        #expect(refusal(inside.path) == .isFolder)
        #expect(refusal(inside: "deep/er") == .isFolder)
        #expect(mkfifo(inside.appending(path: "pipe").path, 0o600) == 0)
        #expect(refusal(inside: "pipe") == .notRegular)
        #expect(refusal(inside.path + "/pipe", by: .anywhere) == .notRegular)
        let devices = AllowedRoots([URL(fileURLWithPath: "/dev")])
        #expect(refusal("/dev/null", by: devices) == .notRegular)
    }

    @Test("An absent file is reported as missing")
    func missing() throws {
        #expect(refusal(inside: "none.jpg") == .missing)
        #expect(refusal(inside: "deep/er/a.jpg/b.jpg") == .missing)
        #expect(refusal(inside: String(repeating: "long", count: 500)) == .missing)
        #expect(refusal(inside: "deep/er/a.jpg\0.png") == .missing)
        #expect(refusal(outside.path + "/none.jpg", by: .anywhere) == .missing)
        let remote = try #require(URL(string: "https://example.org/a.jpg"))
        #expect(throws: DeliveryReason.self) { try AllowedRoots.anywhere.open(remote) }
    }

    @Test(
        "A file without read permission is reported as unreadable",
        .enabled(if: getuid() != 0, "root may read everything"))
    func unreadable() throws {
        let file = inside.appending(path: "deep/er/a.jpg")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
        #expect(refusal(inside: "deep/er/a.jpg") == .unreadable)
    }

    @Test("A processor reads the checked file, even if it has been replaced")
    func exchangedAfterwards() async throws {
        let file = inside.appending(path: "photo.jpg")
        try Data(Sample.jpeg()).write(to: file)
        let secret = outside.appending(path: "b.jpg").path
        let container = fixture.container
        let processor = ScriptedProcessor { [fixture] request throws(AttachmentError) in
            unlink(file.path)
            symlink(secret, file.path)
            let digest = try request.openFile().digest()
            #expect(digest == ContentDigest(of: Data(Sample.jpeg())))
            return try fixture.publish(request)
        }
        let stage = try DeliveryStage(
            container: container, processor: processor,
            configuration: {
                var configuration = DeliveryStage.Configuration()
                configuration.allowedRoots = roots
                return configuration
            }())
        let answer = await stage.deliver(fixture.request(.file(file)))
        #expect(processor.requests.count == 1)
        #expect(answer.outcome.kind == .rendition)
    }

    @Test("A folder that becomes a link during the check never leads outside")
    func exchanged() async throws {
        let (deep, away) = (inside.path + "/deep", inside.path + "/away")
        try FileManager.default.createDirectory(
            at: outside.appending(path: "er"), withIntermediateDirectories: true)
        try Data("secret".utf8).write(to: outside.appending(path: "er/a.jpg"))
        let (target, path) = (outside.path, deep + "/er/a.jpg")
        let exchange = Task.detached {
            while !Task.isCancelled {
                rename(deep, away)
                symlink(target, deep)
                usleep(useconds_t.random(in: 0..<50))
                unlink(deep)
                rename(away, deep)
                usleep(useconds_t.random(in: 0..<50))
            }
        }
        var (attempts, opened) = (0, 0)
        while attempts < 50_000 || opened == 0 {
            attempts += 1
            guard let file = try? roots.open(URL(fileURLWithPath: path)) else { continue }
            opened += 1
            var bytes = [UInt8](repeating: 0, count: 6)
            let count = pread(file.descriptor, &bytes, bytes.count, 0)
            #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "bytes")
        }
        exchange.cancel()
        await exchange.value
    }
}
