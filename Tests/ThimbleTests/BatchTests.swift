import Foundation
import WorkerProtocol
import Testing

@Suite("thimble batch", .timeLimit(.minutes(5)))
struct BatchTests {
    private struct File: Decodable {
        let file: String
        let outcome: String
        let bytesBefore: Int
        let bytesAfter: Int?
        let renditions: [String: String]?
        let error: String?
        let remedy: String?
    }

    private struct Summary: Decodable {
        let files, made, unchanged, failed, notPictures, notDone: Int
    }

    private typealias Report = BatchOutput<File, Summary>

    private func batch(in folder: URL, _ more: String = "") throws -> (Command, Report) {
        let run = try Command.shell(
            "thimble batch Images --container C --cap 64MiB --report json \(more)", in: folder)
        return (run, try Report(run.output))
    }

    @Test("A folder is processed into a container, and bad files are reported")
    func wholeFolder() throws {
        try WorkingFolder.with { folder in
            let (run, report) = try batch(in: folder, "--verbose")
            #expect(run.code == 3)
            #expect(report.summary.made >= 15)
            #expect(report.summary.files == report.files.count && report.summary.notDone == 0)
            for file in report.files where file.outcome == "made" {
                let renditions = try #require(file.renditions, "\(file.file)")
                let bytes = try renditions.values.reduce(0) { sum, name in
                    let path = folder.appending(path: "C/renditions/\(name)").path
                    return try sum
                        + #require(
                            FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
                }
                #expect(!renditions.isEmpty && bytes == file.bytesAfter && file.bytesBefore > 0)
            }
            let failures = report.files.filter { $0.outcome == "failed" }
            #expect(Set(failures.compactMap(\.error)) == ["truncated", "unsupported"])
            #expect(failures.count == 2 && failures.allSatisfy { $0.remedy != nil })
            // There is one line per file.
            let lines = run.errors.split(separator: "\n")
            #expect(lines.count == report.files.count)
            #expect(lines.last?.hasPrefix("[\(lines.count)/\(lines.count)]") == true)

            let verify = try Command.thimble("container", "verify", "--container", "C", in: folder)
            #expect(verify.code == 0, "\(verify.output)\(verify.errors)")
            let list = try Command.thimble(
                "container", "list", "--container", "C", "--report", "json", in: folder)
            let manifests = try #require(
                JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [[String: Any]])
            #expect(manifests.count == report.summary.made)

            let (again, second) = try batch(in: folder)
            #expect(again.code == 3)
            #expect(second.summary.unchanged == report.summary.made && second.summary.made == 0)
            let third = try batch(in: folder, "--quality 60 --jobs 3").1.summary
            #expect(third.unchanged == 0 && third.made + third.failed > 15)
        }
    }

    @Test(
        "The sandbox in force is reported in text and JSON", arguments: ["auto", "off"])
    func sandbox(mode: String) throws {
        struct Report: Decodable { let sandbox: SandboxReport }
        struct LastLine: Decodable { let summary: Report }
        try WorkingFolder.with { folder in
            _ = try Command.shell("mkdir In && cp Images/*.webp In", in: folder)
            let single = "$(ls Images/*.webp | head -1) --id a"
            for command in ["batch In", "process \(single)"] {
                let line = "thimble \(command) --container C --cap 64MiB --sandbox \(mode)"
                let json = try Command.shell(line + " --report json", in: folder)
                let report =
                    if command.hasPrefix("batch") {
                        try JSONDecoder().decode(
                            LastLine.self,
                            from: Data(#require(json.output.split(separator: "\n").last).utf8)
                        ).summary
                    } else {
                        try JSONDecoder().decode(Report.self, from: Data(json.output.utf8))
                    }
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

    /// Creates `In` with pictures, and starts a batch that has finished some when this returns.
    private func startBatch(
        of pictures: Int = 200, in folder: URL, output: Any
    ) throws -> Process {
        _ = try Command.shell(
            "mkdir In && for i in $(seq \(pictures)); do (cat Images/*baseline*.jpg; echo $i) "
                + "> In/$i.jpg; done", in: folder)
        let process = Command.start(
            Command.products.appending(path: "thimble"),
            ["batch", "In", "--container", "C", "--report", "json"], in: folder)
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<3000 where process.isRunning && finishedPictures(in: folder) == 0 {
            usleep(20_000)
        }
        #expect(process.isRunning)
        return process
    }

    /// The pictures whose results are known to later batches: the last step of publishing.
    private func finishedPictures(in folder: URL) -> Int {
        let results = folder.appending(path: "C/results").path
        return (try? FileManager.default.contentsOfDirectory(atPath: results).count) ?? 0
    }

    @Test("Ctrl-C ends a batch with code 130, whole lines, and no incomplete file")
    func interrupt() throws {
        try WorkingFolder.with { folder in
            let log = folder.appending(path: "log")
            try Data().write(to: log)
            let process = try startBatch(in: folder, output: FileHandle(forWritingTo: log))
            process.interrupt()
            process.waitUntilExit()
            #expect(process.terminationStatus == 130)
            let report = try Report(String(contentsOf: log, encoding: .utf8))
            #expect(report.summary.files == 200 && report.summary.notDone > 0)
            #expect(report.files.count == 200 - report.summary.notDone)
            let incoming = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "C/incoming").path)
            #expect(incoming.isEmpty)
            let verify = try Command.thimble("container", "verify", "--container", "C", in: folder)
            #expect(verify.code == 0)
        }
    }

    @Test("A killed batch leaves a sound container, and the next one continues")
    func kill() throws {
        try WorkingFolder.with { folder in
            let process = try startBatch(of: 60, in: folder, output: FileHandle.nullDevice)
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let finished = finishedPictures(in: folder)
            #expect(finished > 0 && finished < 60)
            let verify = "thimble container verify --container C"
            #expect(try Command.shell(verify, in: folder).code == 0)
            // Two at once, of which each finds at least what the killed one finished.
            let both = try Command.shell(
                "thimble batch In --container C --report json > a & "
                    + "thimble batch In --container C --report json > b; x=$?; wait $! && exit $x",
                in: folder)
            #expect(both.code == 0, "\(both.errors)")
            for name in ["a", "b"] {
                let report = try Report(
                    String(contentsOf: folder.appending(path: name), encoding: .utf8))
                #expect(report.files.count == 60 && report.summary.unchanged >= finished)
                #expect(report.summary.failed == 0)
            }
            #expect(try Command.shell(verify, in: folder).code == 0)
        }
    }

    @Test("A batch whose report nobody reads ends with code 1, early")
    func closedPipe() throws {
        try WorkingFolder.with { folder in
            let pipe = Pipe()
            let process = try startBatch(in: folder, output: pipe)
            try pipe.fileHandleForWriting.close()
            // The first line comes while the batch runs.
            let first = pipe.fileHandleForReading.availableData
            #expect(first.starts(with: Data(#"{"bytesAfter":"#.utf8)))
            #expect(process.isRunning)
            try pipe.fileHandleForReading.close()
            process.waitUntilExit()
            #expect(process.terminationStatus == 1)
            let made = try FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "C/notifications").path)
            #expect(made.count < 200)
        }
    }
}
