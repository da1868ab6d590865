import Foundation
import SampleMedia
import Testing

@Suite("thimble preview and the pages of reports", .timeLimit(.minutes(5)))
struct PreviewTests {
    /// The page without pictures in it.
    private func withoutPictures(_ html: String) -> String {
        html.replacing(/data:image\/[a-z]+;base64,[A-Za-z0-9+\/=]+/, with: "")
    }

    private func page(_ name: String, in folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    private static var hasChromium: Bool {
        ["chromium", "chromium-browser", "google-chrome"].contains {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
        }
    }

    @Test("An attachment becomes one page with both stages, light and dark")
    func attachment() throws {
        try WorkingFolder.with { folder in
            let run = try Command.thimble(
                "preview", "Images/lake-baseline.jpg", "--title", "<b>Lake</b> & \"more\"",
                "--body", "Evening\u{0}", in: folder)
            #expect(run.code == 0 && run.output == "preview.html\n", "\(run.errors)")
            let html = try page("preview.html", in: folder)
            #expect(html.matches(of: /<article/).count == 4)
            #expect(html.matches(of: /data:image\/jpeg;base64/).count == 4)
            #expect(html.contains("&lt;b&gt;Lake&lt;/b&gt; &amp; &quot;more&quot;"))
            #expect(!html.contains("<b>Lake"))
            #expect(html.contains("default-src &#39;none&#39;") && !html.contains("<script"))
            let frame = withoutPictures(html)
            #expect(frame.utf8.count < 300_000)
            #expect(!frame.contains("http://") && !frame.contains("https://"))
        }
    }

    @Test("A payload gives the texts; without its picture the reason is in the page")
    func payload() throws {
        try WorkingFolder.with { folder in
            let payload = #"""
                {"aps": {"alert": {"title": "Title", "subtitle": "Sub", "body": "Body"}},
                 "thimble": {"media": "Images/ridges-truncated.jpg"}}
                """#
            try Data(payload.utf8).write(to: folder.appending(path: "push.json"))
            let run = try Command.thimble(
                "preview", "push.json", "--output", "p.html", "--appearance", "dark", in: folder)
            #expect(run.code == 3 && run.errors.contains("no picture"))
            let html = try page("p.html", in: folder)
            for text in ["Title", "Sub", "Body", "No picture: "] {
                #expect(html.contains(text), "\(text)")
            }
            #expect(html.contains("data-appearance=\"dark\""))
            #expect(!html.contains("data-appearance=\"light\""))
        }
    }

    @Test("Of several payloads the first is drawn, or the one with the number")
    func number() throws {
        try WorkingFolder.with { folder in
            let batch = #"""
                [{"to": "ExponentPushToken[a]", "title": "One", "mutableContent": true},
                 {"to": "ExponentPushToken[b]", "title": "Two", "mutableContent": true}]
                """#
            try Data(batch.utf8).write(to: folder.appending(path: "push.json"))
            for (options, title) in [("", "One"), ("--number 2", "Two")] {
                let run = try Command.shell("thimble preview push.json \(options)", in: folder)
                #expect(run.errors.contains("of 2 is drawn"), "\(run.errors)")
                let html = try page("preview.html", in: folder)
                #expect(html.contains(title) && !html.contains(title == "One" ? "Two" : "One"))
            }
            let none = try Command.thimble("preview", "push.json", "--number", "3", in: folder)
            #expect(none.code == 1 && none.errors.contains("the file has 2 payloads"))
        }
    }

    @Test("Findings of the check are above the drawing, and an error changes the exit code")
    func findings() throws {
        try WorkingFolder.with { folder in
            for (payload, message) in [
                // A silent push shows nothing, and without mutable-content no extension runs.
                (
                    #"{"aps":{"content-available":1},"attachment":"Images/lake-baseline.jpg"}"#,
                    "alert"
                ),
                (
                    #"{"aps":{"alert":"Hi"},"attachment":"Images/lake-baseline.jpg"}"#,
                    "mutable-content"
                ),
                (
                    #"{"to":"x","body":"Hi","richContent":{"image":"Images/lake-baseline.jpg"}}"#,
                    "mutableContent"
                ),
            ] {
                try Data(payload.utf8).write(to: folder.appending(path: "push.json"))
                let run = try Command.thimble("preview", "push.json", in: folder)
                #expect(run.code == 3 && run.errors.contains("not shown as drawn"))
                let html = withoutPictures(try page("preview.html", in: folder))
                let parts = html.components(separatedBy: "The system will not show this as drawn")
                #expect(parts.count == 2 && !parts[0].contains("<article"))
                #expect(
                    parts.last?.contains(message) == true
                        && parts.last?.contains("<article") == true)
            }
        }
    }

    @Test("A notification of a container is drawn from its renditions")
    func notification() throws {
        try WorkingFolder.with { folder in
            _ = try Command.shell(
                "thimble process Images/thimble-alpha.png --container C --id order", in: folder)
            let run = try Command.thimble(
                "preview", "order", "--container", "C", "--output", "o.html", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(try page("o.html", in: folder).contains("data:image/png;base64"))
        }
    }

    @Test("Every preset's rendition of a manifest is shown, with its size, bytes and notes")
    func presets() throws {
        try WorkingFolder.with { folder in
            let made = try Command.shell(
                "thimble process Images/lake-baseline.jpg --container C --id order --preset content "
                    + "--preset avatar --preset web-push --report json", in: folder)
            #expect(made.code == 0, "\(made.errors)")
            let run = try Command.thimble(
                "preview", "order", "--container", "C", "--output", "o.html", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let html = try page("o.html", in: folder)
            // Four drawings, and the two surfaces.
            #expect(html.matches(of: /data:image\/jpeg;base64/).count == 6)
            for text in [
                "Avatar</strong>180 × 180, ", "Web push</strong>1800 × 900, ", "MiB measured",
            ] {
                #expect(html.contains(text), "\(text)")
            }
            #expect(!html.contains("the preset content is missing"))
        }
    }

    @Test("Without the preset content, the placeholder is drawn and the page says so")
    func presetAlone() throws {
        try WorkingFolder.with { folder in
            let run = try Command.thimble(
                "preview", "Images/lake-baseline.jpg", "--preset", "avatar", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let html = try page("preview.html", in: folder)
            #expect(html.matches(of: /data:image\/bmp;base64/).count == 4)
            #expect(html.contains("the preset content is missing"))
        }
    }

    @Test("Notes of the manifest are in the page, that of a gain map too")
    func notes() throws {
        try WorkingFolder.with { folder in
            let base = try [UInt8](
                Data(contentsOf: folder.appending(path: "Images/still-life-ready.jpg")))
            try Data(GainMapJPEG(.ultraHDR, of: base, gainMap: base).bytes)
                .write(to: folder.appending(path: "hdr.jpg"))
            let run = try Command.thimble("preview", "hdr.jpg", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(try page("preview.html", in: folder).contains("<dd>gain map dropped ("))
        }
    }

    @Test("Chromium draws a PNG", .enabled(if: PreviewTests.hasChromium))
    func picture() throws {
        try WorkingFolder.with { folder in
            let run = try Command.thimble(
                "preview", "Images/lake-baseline.jpg", "--output", "p.png", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let bytes = try Data(contentsOf: folder.appending(path: "p.png"))
            #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            let width = bytes[16..<20].reduce(0) { $0 << 8 | Int($1) }
            let height = bytes[20..<24].reduce(0) { $0 << 8 | Int($1) }
            #expect(width == 2080 && 1000...6000 ~= height, "\(width)×\(height)")
        }
    }

    @Test("A contact sheet has every attachment, failures first, and pictures from the container")
    func sheet() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "thimble batch Images --container C --report html --report-file sheets/s.html; "
                    + "mkdir sheets; "
                    + "thimble batch Images --container C --report html --report-file sheets/s.html",
                in: folder)
            #expect(run.code == 3 && run.output.contains("files:"))
            let html = try page("sheets/s.html", in: folder)
            let rows = html.matches(of: /<li class="row[^"]*"/).map { "\($0.0)" }
            #expect(rows.count >= 20)
            let failed = rows.prefix { $0.contains("is-failed") }
            #expect(html.contains("<dt>Attachments</dt><dd>\(rows.count)</dd>"))
            #expect(failed.count == 2 && !rows.dropFirst(2).contains { $0.contains("is-failed") })
            let sources = html.matches(of: /<img src="(\.\/[^"]+)"/).map { "\($0.1)" }
            #expect(sources.count >= 20)
            for source in sources {
                let file = URL(
                    fileURLWithPath: source, relativeTo: folder.appending(path: "sheets/"))
                #expect(FileManager.default.fileExists(atPath: file.path), "\(source)")
            }
            #expect(html.utf8.count < 300_000)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "sheets").path)
            #expect(names == ["s.html"])
        }
    }

    @Test("Thumbnails can be in the sheet, and names of files are no markup")
    func embeddedSheet() throws {
        try WorkingFolder.with { folder in
            let line = #"""
                mkdir P && cp Images/still-life-ready.jpg 'P/<img src=x onerror=alert(1)>.jpg' \
                && cp Images/still-life-ready.jpg 'P/a:b #1?.jpg' \
                && thimble batch P --container C --report html --report-file s.html --embed-thumbnails
                """#
            let run = try Command.shell(line, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let html = try page("s.html", in: folder)
            #expect(!html.contains("<img src=x"))
            #expect(html.contains("./P/a%3Ab%20%231%3F.jpg"))
            #expect(html.matches(of: /<img src="data:image\/jpeg;base64,/).count == 2)
        }
    }

    @Test("A page needs its file, and a file its page")
    func usage() throws {
        try WorkingFolder.with { folder in
            for line in [
                "batch Images --container C --report html",
                "batch Images --container C --report-file s.html",
                "batch Images --container C --embed-thumbnails",
                "bench Images --compare none --report html",
                "preview Images/lake-baseline.jpg --output p.gif",
            ] {
                let run = try Command.shell("thimble \(line)", in: folder)
                #expect(run.code == 64, "\(line)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "C").path))
        }
    }
}
