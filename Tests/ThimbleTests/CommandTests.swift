import Foundation
import SampleMedia
import Testing

@Suite("The command", .timeLimit(.minutes(3)))
struct CommandTests {
    @Test("The help of every command has examples")
    func help() throws {
        try WorkingFolder.with { folder in
            let root = try Command.thimble("--help", in: folder)
            #expect(root.code == 0)
            #expect(root.output.contains("EXAMPLES") && root.output.contains("EXIT CODES"))
            for command in ["batch", "process", "inspect"] {
                let help = try Command.thimble(command, "--help", in: folder)
                #expect(help.output.contains("thimble \(command) "), "\(command)")
                #expect(help.output.contains("EXAMPLES"), "\(command)")
            }
        }
    }

    @Test("The worker's version names libvips, and completions exist for three shells")
    func versionAndCompletions() throws {
        try WorkingFolder.with { folder in
            let version = try Command.thimble("--version", in: folder)
            #expect(version.output.hasPrefix("thimble "))
            let worker = try Command.shell("thimble-worker --version", in: folder)
            #expect(worker.code == 0 && worker.output.contains("libvips 8."))
            #expect(try Command.shell("thimble-worker --help", in: folder).code == 64)
            for shell in ["bash", "zsh", "fish"] {
                let script = try Command.thimble("--generate-completion-script", shell, in: folder)
                #expect(script.code == 0 && script.output.contains("container"), "\(shell)")
            }
        }
    }

    @Test("An invalid command line exits with 64 before writing anything")
    func usage() throws {
        try WorkingFolder.with { folder in
            let lines = [
                ["batch", "Images"],
                ["batch", "Images", "--container", "C", "--quality", "0"],
                ["batch", "Images", "--container", "C", "--jobs", "0"],
                ["batch", "Images", "--container", "C", "--max-bytes", "lots"],
                ["process", "a.jpg", "b.jpg", "--container", "C", "--id", "only-one"],
            ]
            for line in lines {
                let run = try Command.shell("thimble " + line.joined(separator: " "), in: folder)
                #expect(run.code == 64, "\(line)")
                #expect(run.errors.contains("Error:"), "\(line)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "C").path))
        }
    }

    @Test("A sound with an absurd declared duration is published and shown")
    func absurdDuration() throws {
        try WorkingFolder.with { folder in
            let sound = SampleMovie.MP4(
                major: "M4A ", brands: ["M4A "], tracks: [SampleMovie.track("soun", "mp4a")],
                duration: .max, timescale: 1, isWide: true)
            try Data(sound.bytes).write(to: folder.appending(path: "a.m4a"))
            let lines = [
                "inspect a.m4a", "process a.m4a --id a --container C",
                "batch . --container D", "container show a --container C",
            ]
            for line in lines {
                let run = try Command.shell("thimble \(line)", in: folder)
                #expect(run.code == 0, "\(line): \(run.errors)")
            }
        }
    }

    @Test("An unusable container exits with 1 before any work")
    func unusableContainer() throws {
        try WorkingFolder.with { folder in
            try Data("x".utf8).write(to: folder.appending(path: "file"))
            try FileManager.default.createDirectory(
                at: folder.appending(path: "future"), withIntermediateDirectories: true)
            try Data(#"{"formatVersion": "9.0"}"#.utf8)
                .write(to: folder.appending(path: "future/thimble.json"))
            for name in ["file", "file/below", "future", "/proc/thimble"] {
                let run = try Command.thimble("batch", "Images", "--container", name, in: folder)
                #expect(run.code == 1, "\(name)")
                #expect(run.errors.hasPrefix("error: "), "\(name)")
                #expect(run.output.isEmpty, "\(name)")
            }
            let missing = try Command.thimble("container", "list", "--container", "no", in: folder)
            #expect(missing.code == 1)
            let folderless = try Command.thimble("batch", "nowhere", "--container", "C", in: folder)
            #expect(folderless.code == 1)
        }
    }

    @Test("Inspect prints headers as text or JSON")
    func inspect() throws {
        try WorkingFolder.with { folder in
            let text = try Command.shell("thimble inspect Images/*.jpg Images/*.heic", in: folder)
            #expect(text.output.contains("progressive"))
            #expect(text.code == 3, "the text file named .jpg is refused")
            let json = try Command.shell(
                "thimble inspect Images/*.png Images/*.webp --report json", in: folder)
            let list = try #require(
                JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
            #expect(list.count >= 6)
            #expect(list.allSatisfy { $0["header"] != nil && $0["ladder"] != nil })
        }
    }

    @Test("Single files are processed under the given identifiers")
    func process() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "thimble process $(ls Images/*.webp) --container C --report json "
                    + "$(ls Images/*.webp | sed 's/.*/--id id-&/')", in: folder)
            #expect(run.code == 0)
            let report = try #require(
                JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
            #expect(report["cap"] as? Int == 24 << 20 && report["workersLost"] as? Int == 0)
            let attachments = try #require(report["attachments"] as? [[String: Any]])
            let manifests = attachments.compactMap { $0["manifest"] as? [String: Any] }
            let identifiers = manifests.compactMap { $0["identifier"] as? String }
            #expect(identifiers.count >= 2)
            #expect(identifiers.allSatisfy { $0.hasPrefix("id-Images/") })
            let show = try Command.thimble(
                "container", "show", identifiers[0], "--container", "C", in: folder)
            #expect(show.code == 0 && show.output.contains("size ratio"))
            let unknown = try Command.thimble(
                "container", "show", "unknown", "--container", "C", in: folder)
            #expect(unknown.code == 3)
        }
    }
}
