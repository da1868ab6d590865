import Foundation
import SampleMedia
import Testing

@Suite("thimble convert", .timeLimit(.minutes(3)))
struct ConvertTests {
    /// First bytes of the files' formats.
    private enum Head {
        static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF]
        static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
        static let gif = Array("GIF8".utf8)
    }

    private static func head(of name: String, in folder: URL, _ count: Int) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)).prefix(count))
    }

    /// Runs a command whose temporary files must not stay.
    private static func run(_ line: String, in folder: URL) throws -> Command {
        let temporary = folder.appending(path: "temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        let run = try Command.shell("TMPDIR=$PWD/temporary; export TMPDIR; \(line)", in: folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
        return run
    }

    @Test(
        "The suffix chooses the type, whatever the picture's own",
        arguments: [
            ("lake-evening.heic", "a.jpg", Head.jpeg), ("lake-evening.heic", "a.PNG", Head.png),
            ("still-life-ready.jpg", "a.png", Head.png),
            ("still-life-ready.jpg", "a.jpeg", Head.jpeg),
            ("meadow-lossy.webp", "a.png", Head.png), ("aurora-animated.gif", "a.gif", Head.gif),
            ("aurora-animated.webp", "a.gif", Head.gif),
            ("aurora-animated.gif", "a.jpg", Head.jpeg),
            ("thimble-alpha.png", "a.png", Head.png), ("meadow.tiff", "a.jpg", Head.jpeg),
            ("ridges-interlaced.png", "a.jpg", Head.jpeg), ("dunes-cmyk.jpg", "a.png", Head.png),
        ])
    func types(picture: String, output: String, head: [UInt8]) throws {
        try WorkingFolder.with { folder in
            let run = try Self.run("thimble convert Images/\(picture) -o \(output)", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(try Self.head(of: output, in: folder, head.count) == head)
            #expect(run.output.hasPrefix("\(output)  "))
        }
    }

    @Test("A suffix that no rendition has is refused with those that are possible")
    func unknownSuffix() throws {
        try WorkingFolder.with { folder in
            for output in ["a.webp", "a", "a.jpg.txt"] {
                let run = try Self.run(
                    "thimble convert Images/still-life-ready.jpg -o \(output)", in: folder)
                #expect(run.code == 64)
                #expect(run.errors.contains(".jpg, .png, .gif"), "\(run.errors)")
                #expect(
                    !FileManager.default.fileExists(atPath: folder.appending(path: output).path))
            }
        }
    }

    @Test("A picture that does not move becomes no GIF, and a transparent one no JPEG")
    func impossible() throws {
        try WorkingFolder.with { folder in
            let still = try Self.run(
                "thimble convert Images/still-life-ready.jpg -o a.gif", in: folder)
            #expect(still.code == 3 && still.errors.contains(".jpg or .png"), "\(still.errors)")
            let clear = try Self.run(
                "thimble convert Images/thimble-alpha.png -o a.jpg", in: folder)
            #expect(clear.code == 3 && clear.errors.contains("transparency"), "\(clear.errors)")
            for name in ["a.gif", "a.jpg"] {
                #expect(!FileManager.default.fileExists(atPath: folder.appending(path: name).path))
            }
        }
    }

    @Test("Several pictures take their names, and a bad one does not stop the others")
    func several() throws {
        try WorkingFolder.with { folder in
            let run = try Self.run(
                "mkdir out; thimble convert Images/still-life-ready.jpg missing.jpg "
                    + "Images/meadow-lossy.webp -o 'out/%s-thumb.jpg' --width 100 --report json",
                in: folder)
            #expect(run.code == 3)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "out").path)
            #expect(Set(names) == ["still-life-ready-thumb.jpg", "meadow-lossy-thumb.jpg"])
            let report = try #require(
                JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
            #expect(report["cap"] as? Int == 24 << 20)
            let pictures = try #require(report["pictures"] as? [[String: Any]])
            #expect(pictures.map { $0["error"] as? String } == [nil, "unreadable", nil])
            #expect(pictures[0]["output"] as? String == "out/still-life-ready-thumb.jpg")
            #expect(pictures[1]["output"] == nil && pictures[1]["remedy"] != nil)

            let same = try Self.run(
                "thimble convert Images/still-life-ready.jpg Images/still-life-ready.jpg "
                    + "-o '%s.jpg'", in: folder)
            #expect(same.code == 3 && same.errors.contains("also the output of"))
            let one = try Self.run("thimble convert Images/*.webp -o a.jpg", in: folder)
            #expect(one.code == 64 && one.errors.contains("%s"))
        }
    }

    @Test("Standard input and output are a picture each")
    func streams() throws {
        try WorkingFolder.with { folder in
            let run = try Self.run(
                "thimble convert - -o - <Images/lake-evening.heic >a.jpg", in: folder)
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(try Self.head(of: "a.jpg", in: folder, 3) == Head.jpeg)
            let empty = try Self.run("thimble convert - -o - </dev/null", in: folder)
            #expect(empty.code == 3 && empty.errors.contains("standard input"))
            let long = try Self.run(
                "thimble convert - -o a.png --max-source-bytes 1kB <Images/lake-evening.heic",
                in: folder)
            #expect(long.code == 3 && long.errors.contains("--max-source-bytes"), "\(long.errors)")
            let closed = try Self.run(
                "thimble convert Images/lake-evening.heic -o - >/dev/full", in: folder)
            #expect(closed.code == 3 && closed.errors.contains("No space left on device"))
            let missing = try Self.run(
                "thimble convert Images/lake-evening.heic -o missing/a.jpg", in: folder)
            #expect(missing.code == 3 && missing.errors.contains("No such file or directory"))
        }
    }

    @Test("A picture is never its own output, by no name, and other files are replaced whole")
    func overwriting() throws {
        try WorkingFolder.with { folder in
            let picture = folder.appending(path: "a.jpg")
            let prepared = try Command.shell(
                "cp Images/still-life-ready.jpg a.jpg; ln -s a.jpg link.jpg; ln a.jpg hard.jpg; "
                    + "echo old >old.jpg", in: folder)
            #expect(prepared.code == 0)
            let before = try Data(contentsOf: picture)
            for output in ["a.jpg", "./a.jpg", "link.jpg", "hard.jpg"] {
                let run = try Self.run("thimble convert a.jpg -o \(output)", in: folder)
                #expect(run.code == 3 && run.errors.contains("itself"), "\(output): \(run.errors)")
                #expect(try Data(contentsOf: picture) == before)
            }
            #expect(try Self.run("thimble convert a.jpg -o old.jpg", in: folder).code == 0)
            #expect(try Self.head(of: "old.jpg", in: folder, 3) == Head.jpeg)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let missing = try Self.run("thimble convert a.jpg -o nowhere/a.jpg", in: folder)
            #expect(missing.code == 3 && missing.errors.contains("check that its folder exists"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == names)
        }
    }

    @Test("Without --id, a processed picture gets an identifier that is printed")
    func newIdentifier() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "thimble process Images/still-life-ready.jpg --container C", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let identifier = String(run.output.prefix { $0 != "\n" })
            #expect(UUID(uuidString: identifier) != nil)
            let show = try Command.thimble(
                "container", "show", identifier, "--container", "C", in: folder)
            #expect(show.code == 0)
        }
    }
}
