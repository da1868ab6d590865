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
            for command in ["batch", "process", "inspect", "init"] {
                let help = try Command.thimble(command, "--help", in: folder)
                #expect(help.output.contains("thimble \(command) "), "\(command)")
                #expect(help.output.contains("EXAMPLES"), "\(command)")
            }
        }
    }

    @Test("The version has release, commit, libraries and features, the release in its first line")
    func version() throws {
        try WorkingFolder.with { folder in
            let version = try Command.thimble("--version", in: folder)
            #expect(version.code == 0, "\(version.errors)")
            let lines = version.output.split(separator: "\n").map(String.init)
            #expect(lines[0].wholeMatch(of: /thimble \d+\.\d+\.\d+/) != nil)
            let words = lines.dropFirst().map { $0.prefix { $0 != " " } }
            #expect(
                words == ["commit", "worker", "row-worker", "transfer", "enforcement", "sandbox"])
            for library in [
                "libvips 8.", "libaom ", "libjxl 0.", "libjpeg-turbo ", "libpng 1.", "libwebp 1.",
                "libtiff 4.",
                "dav1d 1.", "libde265 1.", "lcms2 2.", "zlib 1.",
            ] { #expect(lines[2].contains(library), "\(library): \(lines[2])") }
            #expect(!lines[3].contains("libvips") && lines[4].contains("libcurl/"))
            #expect(try Command.shell("thimble-worker --help", in: folder).code == 64)
        }
    }

    private static let hasZsh = FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh")
    private static let hasFish = FileManager.default.isExecutableFile(atPath: "/usr/bin/fish")

    @Test("Completions load in bash without an error")
    func bashCompletions() throws {
        try Self.load("bash", "source ./script && complete -p thimble")
    }

    @Test("Completions load in zsh without an error", .enabled(if: hasZsh))
    func zshCompletions() throws {
        try Self.load(
            "zsh",
            "autoload -Uz compinit && compinit -u -d dump; source ./script && whence -w _thimble")
    }

    @Test("Completions load in fish without an error", .enabled(if: hasFish))
    func fishCompletions() throws {
        try Self.load("fish", "source ./script; and complete -c thimble")
    }

    private static func load(_ shell: String, _ line: String) throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "thimble completions \(shell) >script && HOME=$PWD \(shell) -c '\(line)'",
                in: folder)
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(run.output.contains("thimble"))
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
