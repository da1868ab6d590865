import Foundation
import WorkerProtocol
import Testing

@Suite("thimble batch", .timeLimit(.minutes(5)))
struct BatchTests {
    private struct Report: Decodable {
        struct File: Decodable {
            let file: String
            let outcome: String
            let error: String?
            let remedy: String?
        }

        let made, unchanged, failed, notPictures: Int
        let files: [File]
    }

    private func batch(in folder: URL, _ more: String = "") throws -> (Command, Report) {
        let run = try Command.shell(
            "thimble batch Images --container C --cap 64MiB --report json \(more)", in: folder)
        return (run, try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)))
    }

    @Test("A folder is processed into a container, and bad files are reported")
    func wholeFolder() throws {
        try WorkingFolder.with { folder in
            let (run, report) = try batch(in: folder)
            #expect(run.code == 3)
            #expect(report.made >= 15)
            let failures = report.files.filter { $0.outcome == "failed" }
            #expect(Set(failures.compactMap(\.error)) == ["truncated", "unsupported"])
            #expect(failures.count == 2 && failures.allSatisfy { $0.remedy != nil })
            // Without a terminal there is one line per file.
            let lines = run.errors.split(separator: "\n")
            #expect(lines.count == report.files.count)
            #expect(lines.last?.hasPrefix("[\(lines.count)/\(lines.count)]") == true)

            let verify = try Command.thimble("container", "verify", "--container", "C", in: folder)
            #expect(verify.code == 0, "\(verify.output)\(verify.errors)")
            let list = try Command.thimble(
                "container", "list", "--container", "C", "--report", "json", in: folder)
            let manifests = try #require(
                JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
            #expect(manifests.count == report.made)

            let (again, second) = try batch(in: folder)
            #expect(again.code == 3)
            #expect(second.unchanged == report.made && second.made == 0)
            let (_, third) = try batch(in: folder, "--quality 60 --jobs 3")
            #expect(third.unchanged == 0 && third.made + third.failed > 15)
        }
    }

    @Test(
        "The sandbox in force is reported in text and JSON", arguments: ["auto", "off"])
    func sandbox(mode: String) throws {
        struct Report: Decodable { let sandbox: SandboxReport }
        try WorkingFolder.with { folder in
            _ = try Command.shell("mkdir In && cp Images/*.webp In", in: folder)
            let single = "$(ls Images/*.webp | head -1) --id a"
            for command in ["batch In", "process \(single)"] {
                let line = "thimble \(command) --container C --cap 64MiB --sandbox \(mode)"
                let json = try Command.shell(line + " --report json", in: folder)
                let report = try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
                #expect(report.sandbox.mode.rawValue == mode)
                #expect(report.sandbox.entries.isEmpty == (mode == "off"))
                let text = try Command.shell(line, in: folder)
                #expect(text.output.contains("\nsandbox: \(report.sandbox.summary)\n"))
                #expect((report.sandbox.summary == "off") == (mode == "off"))
            }
        }
    }

    @Test("Verification finds and names a modified rendition")
    func damage() throws {
        try WorkingFolder.with { folder in
            _ = try Command.shell(
                "thimble process Images/*.webp --container C "
                    + "$(ls Images/*.webp | sed 's/.*/--id &/')", in: folder)
            let flip = try Command.shell(
                "f=$(find C/renditions -type f | head -1); printf X | "
                    + "dd of=$f bs=1 seek=100 conv=notrunc 2>/dev/null; basename $f", in: folder)
            let verify = try Command.thimble("container", "verify", "--container", "C", in: folder)
            #expect(verify.code == 3)
            let name = flip.output.trimmingCharacters(in: .whitespacesAndNewlines)
            #expect((verify.output + verify.errors).contains(name))
        }
    }

    @Test("Subfolders are included; the container in the folder and hidden files are not")
    func nested() throws {
        try WorkingFolder.with { folder in
            let setUp = try Command.shell(
                "mkdir -p In/deep/er && cp $(ls Images/*.webp | head -1) In/deep/er/a.webp && "
                    + "cp In/deep/er/a.webp In/.hidden.webp && echo hello > In/notes.txt",
                in: folder)
            #expect(setUp.code == 0)
            for expected in ["1 made, 1 not a picture", "1 unchanged, 1 not a picture"] {
                let run = try Command.thimble("batch", "In", "--container", "In/C", in: folder)
                #expect(run.code == 0)
                #expect(run.output.contains(expected) || run.output.contains("0 made, " + expected))
            }
            let show = try Command.thimble(
                "container", "show", "deep/er/a.webp", "--container", "In/C", in: folder)
            #expect(show.code == 0)
        }
    }

    @Test("On a terminal, a bar shows rate and remaining time")
    func progressBar() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "TERM=xterm script -qec 'thimble batch Images --container C --cap 64MiB' /dev/null",
                in: folder)
            #expect(run.output.contains("█") && run.output.contains("/s"))
            #expect(run.output.contains(" left"))
            #expect(run.output.contains("2 failed"))
        }
    }

    @Test("Ctrl-C ends a batch with code 130 and leaves no incomplete file")
    func interrupt() throws {
        try WorkingFolder.with { folder in
            _ = try Command.shell(
                "mkdir In && for i in $(seq 200); do (cat Images/*baseline*.jpg; echo $i) "
                    + "> In/$i.jpg; done", in: folder)
            let process = Command.start(
                Command.products.appending(path: "thimble"),
                ["batch", "In", "--container", "C"], in: folder)
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            let notifications = folder.appending(path: "C/notifications").path
            for _ in 0..<3000 where process.isRunning {
                let begun = try? FileManager.default.contentsOfDirectory(atPath: notifications)
                if begun?.isEmpty == false { break }
                usleep(20_000)
            }
            #expect(process.isRunning)
            process.interrupt()
            process.waitUntilExit()
            #expect(process.terminationStatus == 130)
            let incoming = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "C/incoming").path)
            #expect(incoming.isEmpty)
            let verify = try Command.thimble("container", "verify", "--container", "C", in: folder)
            #expect(verify.code == 0)
        }
    }
}
