import Foundation
import NotificationCheck
import Randomness
import SampleApps
import Testing

@Suite("Hostile folders of apps", .timeLimit(.minutes(2)))
struct HostileFolderTests {
    /// A change of an app's folder, and the only finding's message; empty for no finding.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let message: String
        let change: @Sendable (String) throws -> Void

        init(
            _ name: String, _ message: String, _ change: @escaping @Sendable (String) throws -> Void
        ) {
            (testDescription, self.message, self.change) = (name, message, change)
        }
    }

    private static let list = "/PlugIns/Content.appex/Info.plist"

    private static let changes = [
        link("an Info.plist outside", list, to: "/etc/passwd", "it is a link out of the app"),
        link("a device", list, to: "/dev/zero", "it is a link out of the app"),
        link("a link to itself", list, to: "Info.plist", "the Info.plist is missing"),
        link("extensions outside", "/PlugIns", to: "/etc", "it is a link out of the app"),
        link("extensions above", "/PlugIns", to: "../..", "it is a link out of the app"),
        link("a program outside", "/Daily", to: "/bin/sh", "it is a link out of the app"),
        link("frameworks outside", "/Frameworks", to: "/usr/lib", "it is a link out of the app"),
        link("a library outside", "/Other.dylib", to: "/dev/zero", ""),
        link("a link inside", "/Other", to: "Daily", ""),
        link("a folder in itself", "/PlugIns/Loop.appex", to: ".", "the Info.plist is missing"),
        Change("a folder for the Info.plist", "it is not a regular file") {
            try FileManager.default.removeItem(atPath: $0 + list)
            try FileManager.default.createDirectory(
                atPath: $0 + list, withIntermediateDirectories: false)
        },
        Change("a pipe for the program", "it is not a regular file") {
            try FileManager.default.removeItem(atPath: $0 + "/Daily")
            #expect(mkfifo($0 + "/Daily", 0o600) == 0)
        },
        Change("a program of 64 GB", "it is longer than 536870912 bytes") {
            #expect(truncate($0 + "/Daily", 1 << 36) == 0)
        },
        Change("an Info.plist of 64 GB", "it is longer than 1048576 bytes") {
            #expect(truncate($0 + list, 1 << 36) == 0)
        },
    ]

    private static func link(
        _ name: String, _ file: String, to target: String, _ message: String
    ) -> Change {
        Change(name, message) { path in
            try? FileManager.default.removeItem(atPath: path + file)
            try FileManager.default.createSymbolicLink(
                atPath: path + file, withDestinationPath: target)
        }
    }

    @Test("Links, devices and files without end are findings", arguments: changes)
    func changed(change: Change) async throws {
        let app = try SampleApp()
        let path = try app.write(as: .app)
        try change.change(path)
        let report = try await AppCheck.run(at: path, in: app.folder)
        let text = "\(report.lines().joined(separator: "\n"))"
        let codes: Set<CheckReport.Code> = [.malformedFile, .unreadableFile]
        let findings = report.findings.filter { codes.contains($0.code) }
        let expected = change.message.isEmpty ? [] : [change.message]
        #expect(findings.map(\.message) == expected, "\(text)")
        #expect(findings.allSatisfy { !$0.remedy.isEmpty && $0.places[0].file.hasPrefix(path) })
        #expect(report.exitCode == (change.message.isEmpty ? 0 : 3), "\(text)")
    }

    @Test("Sources behind the link that is given are read, and no others")
    func linkedSources() async throws {
        let app = try SampleApp()
        let (real, given) = (
            app.folder.appending(path: "Real"), app.folder.appending(path: "Given")
        )
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
        let call = "UNNotificationCategory(identifier: \"\(SampleApp.category)\", actions: [])"
        try Data(call.utf8).write(to: real.appending(path: "App.swift"))
        for (link, target) in [(given, "Real"), (real.appending(path: "more"), "/")] {
            try FileManager.default.createSymbolicLink(
                atPath: link.path, withDestinationPath: target)
        }
        let report = try await AppCheck.run(app) { $0.sources = [given.path] }
        #expect(report.findings.isEmpty, "\(report.lines().joined(separator: "\n"))")
    }

    @Test("Files that are cut, at every place of every file, end in a report")
    func cuts() async throws {
        let app = try SampleApp()
        let path = try app.write(as: .app)
        for name in try app.contents().keys.sorted() {
            let file = URL(fileURLWithPath: path).appending(path: name)
            let bytes = try Data(contentsOf: file)
            for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
                try bytes.prefix(count).write(to: file)
                let report = try await AppCheck.run(at: path, in: app.folder)
                // The program of the share extension is not read.
                let isRead = !name.hasPrefix("PlugIns/Share.appex/Share")
                #expect(report.findings.isEmpty != isRead, "\(name) at \(count)")
            }
            try bytes.write(to: file)
        }
    }

    @Test("A bit that flips, in every file, ends in a report", arguments: 1...2)
    func flips(seed: UInt64) async throws {
        let app = try SampleApp()
        let path = try app.write(as: .app)
        let names = try app.contents().keys.sorted()
        var random = SplitMix64(seed: seed)
        var faulty = 0
        for round in 0..<200 {
            let file = URL(fileURLWithPath: path).appending(path: names[round % names.count])
            let bytes = try Data(contentsOf: file)
            var damaged = bytes
            damaged[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
            try damaged.write(to: file)
            let report = try await AppCheck.run(at: path, in: app.folder)
            if report.exitCode == 3 { faulty += 1 }
            try bytes.write(to: file)
        }
        #expect(faulty > 20 && faulty < 200, "\(faulty)")
    }

    #if os(Linux)
        @Test("A check writes no byte, and leaves every file as it was")
        func traces() async throws {
            let app = try SampleApp()
            var paths = try SampleApp.Package.allCases.map { try app.write(as: $0) }
            for name in ["../evil", "/tmp/evil", "Payload/../../evil"] {
                let other = try SampleApp()
                other.change = { $0.add(name, [1]) }
                let file = app.folder.appending(path: "\(paths.count).ipa").path
                try FileManager.default.copyItem(atPath: other.write(as: .ipa), toPath: file)
                paths.append(file)
            }
            let payloads = CheckInput.Payloads.bytes(
                Array(AppCheck.payload.utf8), name: "payload", folder: app.folder.path)
            let (files, written) = (try Self.files(in: app.folder), try Self.writtenBytes())
            for path in paths {
                var input = CheckInput()
                (input.app, input.payloads) = (path, [payloads])
                _ = try await ProjectCheck(input).run(inspecting: SampleProject.inspect)
            }
            #expect(try Self.writtenBytes() == written)
            #expect(try Self.files(in: app.folder) == files)
        }

        /// The names, sizes and times of all files.
        private static func files(in folder: URL) throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().map { name in
                let file = folder.appending(path: name).path
                let attributes = try FileManager.default.attributesOfItem(atPath: file)
                let (size, date) = (attributes[.size], attributes[.modificationDate])
                return "\(name) \(String(describing: size)) \(String(describing: date))"
            }
        }

        /// The bytes of all writes of this process (proc(5), `wchar`).
        private static func writtenBytes() throws -> Substring {
            let text = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
            return try #require(text.split(separator: "\n").first { $0.hasPrefix("wchar") })
        }
    #endif
}
