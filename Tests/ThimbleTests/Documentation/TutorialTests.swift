import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import Foundation
import Testing

@Suite("Tutorials", .timeLimit(.minutes(5)))
struct TutorialTests {
    @Test("There is one for each use, surface and framework; the first page lists every page")
    func pages() throws {
        let first = try String(
            contentsOf: Tutorial.folder.appending(path: "Thimble.md"), encoding: .utf8)
        #expect(try Tutorial.all().count == 9)
        for page in try Tutorial.pages() {
            #expect(first.contains("- <doc:\(page.dropLast(3))>\n"), "\(page)")
        }
    }

    @Test(
        "Every command succeeds in a new folder, with the output shown",
        arguments: try Tutorial.all())
    func commands(tutorial: Tutorial) throws {
        try WorkingFolder.with { folder in
            var (runs, shown) = (0, 0)
            for listing in tutorial.listings {
                switch listing {
                case .swift: break
                case .file(let name, let contents):
                    try contents.write(
                        to: folder.appending(path: name), atomically: true, encoding: .utf8)
                case .commands(let commands, let output):
                    let run = try Command.shell("set -e\n" + commands, in: folder)
                    #expect(run.code == 0, "\(commands): \(run.errors)")
                    let missing = Tutorial.missing(output, in: run.output + "\n" + run.errors)
                    #expect(missing == nil, "\(commands): \(run.output)\(run.errors)")
                    runs += 1
                    shown += output.isEmpty ? 0 : 1
                }
            }
            #expect(runs > 0 && shown > 0)
        }
    }

    @Test("Output that is not shown as it is would be found")
    func wrongOutput() {
        let output = "a  12 kB\nhighest peak 3.4 MB of the cap\n"
        #expect(Tutorial.missing(["a  7.5 MB", "…", "highest peak 1 B…"], in: output) == nil)
        #expect(Tutorial.missing(["b  12 kB"], in: output) == "b  12 kB")
        #expect(Tutorial.missing(["highest peak 3.4 MB"], in: output) == "highest peak 3.4 MB")
    }

    @Test("Every Swift listing is compiled with these tests, or is a file for Apple's platforms")
    func listings() throws {
        let compiled = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appending(path: "TutorialListings.swift"), encoding: .utf8)
        var (found, files) = (0, 0)
        for tutorial in try Tutorial.all() {
            for case .swift(let listing) in tutorial.listings {
                // `make lint` type-checks whole files.
                if listing.hasPrefix("import ") {
                    files += 1
                } else {
                    let code = try #require(Tutorial.code(of: listing), "\(listing)")
                    #expect(compiled.contains(code), "\(listing)")
                    found += 1
                }
            }
        }
        #expect(found == 3 && files == 6)
    }

    @Test("JSON, YAML and XML of the pages can be parsed")
    func formats() throws {
        try WorkingFolder.with { folder in
            var kinds: Set<String> = []
            for tutorial in try Tutorial.all() {
                for case .file(let name, let contents) in tutorial.listings {
                    let kind = name.split(separator: ".").last.map(String.init) ?? ""
                    let reading: String
                    switch kind {
                    case "json": reading = "json.load(file)"
                    case "yml": reading = "yaml.safe_load(file)"
                    case "plist", "entitlements", "targets": reading = "minidom.parse(file)"
                    default: continue
                    }
                    kinds.insert(kind)
                    try Data(contents.utf8).write(to: folder.appending(path: "file"))
                    let script = """
                        import json, yaml
                        from xml.dom import minidom
                        with open("file", "rb") as file: \(reading)
                        """
                    try Data(script.utf8).write(to: folder.appending(path: "read.py"))
                    let run = try Command.shell("python3 read.py", in: folder)
                    #expect(run.code == 0, "\(tutorial.name), \(name): \(run.errors)")
                }
            }
            #expect(kinds == ["json", "yml", "plist", "entitlements", "targets"])
        }
    }

    @Test("The files of the phone's tutorial are those that thimble init writes")
    func template() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                """
                thimble init App --for xcode --bundle-id example.daily-pick \\
                    --app-group group.example.daily-pick --category daily-pick
                """, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let names = [
                "DailyPickService/NotificationService.swift", "DailyPickService/Info.plist",
                "DailyPickService/DailyPickService.entitlements",
                "DailyPickContent/NotificationViewController.swift",
                "DailyPickContent/Info.plist", "PictureNotifications/App.entitlements",
            ]
            let tutorial = try #require(
                try Tutorial.all().first { $0.name == "ShowingThePicture.md" })
            let shown = tutorial.listings.compactMap { listing in
                switch listing {
                case .swift(let contents), .file(_, let contents): contents
                case .commands: nil
                }
            }
            for name in names {
                let file = folder.appending(path: "App/\(name)")
                let written = try String(contentsOf: file, encoding: .utf8)
                #expect(shown.contains(written), "\(name)")
            }
        }
    }

    @Test("The Swift listings do what their tutorials say")
    func listingsRun() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let images = Command.package.appending(path: "Images")

        let failures = try await processFolder(images, into: folder)
        #expect(
            failures.map { $0.prefix { $0 != ":" } }.sorted() == [
                "letter.jpg", "ridges-truncated.jpg",
            ])

        let settings = ProcessingSettings()
        let pool = try WorkerPool(
            settings: settings, container: try SharedContainer.open(at: folder), workers: 1)
        let stager = try makeStager(pool, settings, allowing: images)
        let path = images.appending(path: "lake-baseline.jpg").path
        let payload = Array(#"{"aps":{"alert":"New"},"fcm_options":{"image":"\#(path)"}}"#.utf8)
        let staged = await stage(payload, by: stager)
        #expect(String(decoding: staged, as: UTF8.self).contains(#""outcome":"rendition""#))
        let text = Array("no payload".utf8)
        #expect(await stage(text, by: stager) == text)
        await pool.close()

        let peak = try await measure {
            let bytes = [UInt8](repeating: 1, count: 32 << 20)
            try await Task.sleep(for: .milliseconds(50))
            #expect(bytes.count == 32 << 20)
        }
        #expect(peak >= .mebibytes(32))
    }
}
