import Foundation
import NotificationCheck
import Randomness
import SampleApps
import Testing

@Suite("Hostile archives and programs", .timeLimit(.minutes(2)))
struct HostileArchiveTests {
    /// A change of an archive, and a part of the only finding's message.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let message: String
        let change: @Sendable (inout SampleZip) -> Void

        init(
            _ name: String, _ message: String,
            _ change: @escaping @Sendable (inout SampleZip) -> Void
        ) {
            (testDescription, self.message, self.change) = (name, message, change)
        }
    }

    private static let damages = [
        Damage("a name that climbs", "unsafe name “Payload/../../evil”") {
            $0.add("Payload/../../evil", [1])
        },
        Damage("a name that climbs to a combining mark", "unsafe name") {
            $0.add("../\u{301}evil", [1])
        },
        Damage("an absolute name", "unsafe name “/etc/cron.d/evil”") {
            $0.add("/etc/cron.d/evil", [1])
        },
        Damage("a name of Windows", "unsafe name") { $0.add("..\\evil", [1]) },
        Damage("a name with a zero", "unsafe name") { $0.add("Payload/a\0b", [1]) },
        Damage("a name of 2 kB", "unsafe name") {
            $0.add(String(repeating: "a", count: 2000), [1])
        },
        Damage("a member twice", "twice") { $0.add("Payload/Daily.app/Info.plist", [1]) },
        Damage("two apps", "it contains 2 apps") { $0.add("Payload/Other.app/Info.plist", [1]) },
        Damage("no app", "it contains no app") { $0.members = [] },
        Damage("several disks", "several parts") { $0.disk = 1 },
        member("an encrypted member", "it is encrypted") { $0.flags = 1 },
        member("another compression", "compressed by method 12") { $0.method = 12 },
        member("a wrong checksum", "checksum is wrong") { $0.checksum = 7 },
        member("another local name", "contradicts the directory") {
            $0.localName = String($0.name.reversed())
        },
        member("a size over the limit", "longer than 1048576 bytes") { $0.declaredSize = 1 << 31 },
        member("a size that is too small", "compressed data are damaged") { $0.declaredSize = 10 },
        member("a size that is too large", "compressed data are cut off") {
            $0.declaredSize = $0.contents.count + 1
        },
        member("a stored size that is wrong", "its size is wrong") {
            $0.method = 0
            $0.declaredSize = $0.contents.count + 1
        },
        member("a link for the Info.plist", "the Info.plist is missing") { $0.mode = 0o120777 },
        Damage("members that overlap", "members of the archive overlap") { zip in
            var inner = SampleZip.Member("Payload/b", [1, 2, 3])
            var outer = SampleZip.Member("Payload/a", zip.part(of: inner))
            outer.method = 0
            inner.declaredOffset = 30 + outer.name.utf8.count
            zip.members = [outer] + zip.members + [inner]
        },
        Damage("more members than an app has", "more than 200000 files") {
            ($0.isWide, $0.declaredCount) = (true, 1 << 40)
        },
        Damage("more members than its directory", "directory is damaged") {
            $0.declaredCount = 60_000
        },
        member("a ZIP64 size of 4 EiB", "longer than 1048576 bytes", isWide: true) {
            $0.declaredSize = 1 << 62
        },
        member("a ZIP64 size above the range of numbers", "directory is damaged", isWide: true) {
            $0.declaredSize = -1
        },
        member("a ZIP64 offset of 8 EiB", "local header is misplaced", isWide: true) {
            $0.declaredOffset = .max
        },
        member("an offset behind the end", "local header is misplaced") {
            $0.declaredOffset = 0xFFFF_FFF0
        },
        member("data of other members", "members of the archive overlap") {
            $0.declaredOffset = 0
        },
        member("a size of a thousand times its data", "compressed data are cut off") {
            $0.declaredSize = 1 << 20
        },
        member("a device for the Info.plist", "the Info.plist is missing") { $0.mode = 0o020666 },
        member("a bomb", "longer than 1048576 bytes") {
            $0.contents = [UInt8](repeating: 0, count: 8 << 20)
        },
        member("a bomb that understates its size", "compressed data are damaged") {
            $0.contents = [UInt8](repeating: 0, count: 8 << 20)
            $0.declaredSize = 1000
        },
    ]

    /// A change of the app's Info.plist in an archive.
    private static func member(
        _ name: String, _ message: String, isWide: Bool = false,
        _ change: @escaping @Sendable (inout SampleZip.Member) -> Void
    ) -> Damage {
        Damage(name, message) { zip in
            zip.isWide = isWide
            for index in zip.members.indices
            where zip.members[index].name == "Payload/Daily.app/Info.plist" {
                change(&zip.members[index])
            }
        }
    }

    @Test("A malformed archive is a finding with file, reason and remedy", arguments: damages)
    func damaged(damage: Damage) async throws {
        let app = try SampleApp()
        app.change = damage.change
        let report = try await AppCheck.run(app, as: .ipa)
        let finding = try #require(report.findings.first)
        #expect(report.findings.count == 1, "\(report.lines().joined(separator: "\n"))")
        #expect([.malformedFile, .unreadableFile].contains(finding.code))
        #expect(finding.message.contains(damage.message), "\(finding.message)")
        #expect(finding.places.allSatisfy { $0.file.contains("/Daily.ipa") })
        #expect(!finding.remedy.isEmpty)
        #expect(report.exitCode == 3)
    }

    @Test("Stored members, ZIP64 and comments are read")
    func variants() async throws {
        let changes: [@Sendable (inout SampleZip) -> Void] = [
            { zip in for index in zip.members.indices { zip.members[index].method = 0 } },
            { $0.isWide = true }, { $0.comment = "made by a test PK\u{5}\u{6}" },
        ]
        for change in changes {
            let app = try SampleApp()
            app.change = change
            let report = try await AppCheck.run(app, as: .ipa)
            #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
        }
    }

    @Test("Paths that are no app are findings")
    func paths() async throws {
        let app = try SampleApp()
        let folder = app.folder
        #expect(mkfifo(folder.appending(path: "fifo").path, 0o600) == 0)
        try Data("text".utf8).write(to: folder.appending(path: "text.ipa"))
        try Data().write(to: folder.appending(path: "empty.ipa"))
        try FileManager.default.createDirectory(
            at: folder.appending(path: "folder"), withIntermediateDirectories: true)
        let messages = [
            "absent.app": "does not exist", "fifo": "not a regular file",
            "text.ipa": "not a ZIP archive", "empty.ipa": "not a ZIP archive",
            "folder": "it contains no app",
        ]
        for (name, message) in messages {
            let path = folder.appending(path: name).path
            let report = try await AppCheck.run(at: path, in: folder)
            let finding = try #require(report.findings.first)
            #expect(report.findings.count == 1 && finding.message.contains(message))
            #expect(finding.places.map(\.file) == [path])
        }
    }

    @Test("An archive that is cut anywhere is a finding, never a crash")
    func cuts() async throws {
        let app = try SampleApp()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: app.write(as: .ipa)))
        let file = app.folder.appending(path: "cut.ipa")
        for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
            try bytes.prefix(count).write(to: file)
            let report = try await AppCheck.run(at: file.path, in: app.folder)
            #expect(report.findings.map(\.code) == [.malformedFile])
        }
    }

    @Test("Mutated archives, programs and signatures end in a report", arguments: 1...4)
    func mutations(seed: UInt64) async throws {
        let app = try SampleApp()
        let path = try app.write(as: .app)
        let archive = Array(
            try Data(contentsOf: URL(fileURLWithPath: app.write(as: .ipa))))
        var random = SplitMix64(seed: seed)
        var faulty = 0
        for round in 0..<150 {
            let report: CheckReport
            if round % 3 == 0 {
                let file = app.folder.appending(path: "mutant.ipa")
                try Data(Self.mutant(of: archive, &random)).write(to: file)
                report = try await AppCheck.run(at: file.path, in: app.folder)
            } else {
                let name = round % 3 == 1 ? "/Daily" : "/PlugIns/Content.appex/Content"
                let file = URL(fileURLWithPath: path + name)
                let original = try Data(contentsOf: file)
                try Data(Self.mutant(of: Array(original), &random)).write(to: file)
                report = try await AppCheck.run(at: path, in: app.folder)
                try original.write(to: file)
            }
            if report.exitCode == 3 { faulty += 1 }
        }
        #expect(faulty > 20 && faulty < 150, "\(faulty)")
    }

    /// Bytes with one to three changes: a byte, a saturated number, or a cut.
    private static func mutant(of bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.below(3) {
            let place = random.below(bytes.count)
            switch random.below(8) {
            case 0: bytes = Array(bytes.prefix(max(1, place)))
            case 1: for index in place..<min(place + 4, bytes.count) { bytes[index] = 0xFF }
            default: bytes[place] = UInt8(random.below(256))
            }
        }
        return bytes
    }
}
