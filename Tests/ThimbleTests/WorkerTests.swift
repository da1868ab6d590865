import AttachmentContainer
import AttachmentWorker
import Foundation
import Testing

@Suite("thimble and its workers", .serialized, .timeLimit(.minutes(3)))
struct WorkerTests {
    /// Starts a batch of slow pictures and waits until a worker is busy.
    private func startBatch(in folder: URL, _ more: [String] = []) throws -> Process {
        let setUp = try Command.shell(
            "mkdir -p In && for i in $(seq 300); do (cat Images/*baseline*.jpg; echo $i) "
                + "> In/$i.jpg; done", in: folder)
        #expect(setUp.code == 0)
        let process = Command.start(
            Command.products.appending(path: "thimble"),
            ["batch", "In", "--container", "C", "--jobs", "2"] + more, in: folder)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let notifications = folder.appending(path: "C/notifications").path
        for _ in 0..<6000 where process.isRunning {
            let begun = try? FileManager.default.contentsOfDirectory(atPath: notifications)
            if (begun?.count ?? 0) > 4 { break }
            usleep(10_000)
        }
        #expect(process.isRunning)
        return process
    }

    /// Children of a process.
    private func children(of process: Int32) throws -> [Int32] {
        try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
            .split(separator: " ").compactMap { Int32($0) }
            + FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
            .filter { $0 != "\(process)" }
            .flatMap { thread in
                let path = "/proc/\(process)/task/\(thread)/children"
                return ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
                    .split(separator: " ").compactMap { Int32($0) }
            }
    }

    /// True if the process runs.
    ///
    /// A zombie does not count.
    private func isRunning(_ process: Int32) -> Bool {
        let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return stat.map { !$0.contains(") Z ") } ?? false
    }

    /// Folder of the groups.
    ///
    /// Computed once, because finding it removes stale groups.
    private static let groupFolder = try? ControlGroupHierarchy.delegated().folder

    private func groups(of process: Int32) throws -> [String] {
        guard let folder = Self.groupFolder else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasPrefix("thimble-") && $0.contains("-\(process)-") }
    }

    private func unfinished(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: folder.appending(path: "C/incoming").path)
    }

    @Test(
        "After SIGKILL, no worker, file or control group of thimble remains",
        arguments: ["auto", "rlimit", "monitor"])
    func supervisorKilled(enforcement: String) throws {
        try WorkingFolder.with { folder in
            let hasGroups = enforcement == "auto" && Self.groupFolder != nil
            let process = try startBatch(in: folder, ["--enforce", enforcement])
            #expect(try groups(of: process.processIdentifier).count == (hasGroups ? 2 : 0))
            let workers = try children(of: process.processIdentifier)
            #expect(workers.count == 2)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            for _ in 0..<6000 {
                guard workers.contains(where: isRunning) else { break }
                usleep(10_000)
            }
            #expect(!workers.contains(where: isRunning))
            // Files being published already have names; they are removed once they are stale.
            #expect(try unfinished(in: folder).count <= 4)
            let container = try SharedContainer.open(at: folder.appending(path: "C"))
            try container.removeStaleIncoming(olderThan: .zero)
            #expect(try unfinished(in: folder).isEmpty)
            let next = try Command.thimble(
                "process", "Images/still-life.png", "--container", "C", "--id", "next", in: folder)
            #expect(next.code == 0, "\(next.errors)")
            #expect(try groups(of: process.processIdentifier).isEmpty)
        }
    }

    @Test("On SIGTERM, thimble ends its workers and removes their groups")
    func terminated() throws {
        try WorkingFolder.with { folder in
            let process = try startBatch(in: folder)
            let workers = try children(of: process.processIdentifier)
            #expect(workers.count == 2)
            process.terminate()
            process.waitUntilExit()
            #expect(process.terminationStatus == 130)
            #expect(!workers.contains(where: isRunning))
            #expect(try unfinished(in: folder).isEmpty)
            #expect(try groups(of: process.processIdentifier).isEmpty)
        }
    }

    @Test(
        "The report names cap, enforcement and all peaks", arguments: ["text", "json"])
    func report(format: String) throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "mkdir In; cp Images/still-life.png Images/lake-baseline.jpg In; thimble batch In "
                    + "--container C --enforce monitor --cap 32MiB --report \(format)", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            guard format == "json" else {
                #expect(run.output.contains(" MB of the cap of 32 MiB (monitor)\n"))
                return
            }
            let lines = try run.output.split(separator: "\n").map { line in
                try #require(
                    JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            let report = try #require(lines.last?["summary"] as? [String: Any])
            #expect(report["cap"] as? Int == 32 << 20)
            #expect(report["enforcement"] as? String == "monitor")
            #expect(report["workersLost"] as? Int == 0)
            let peak = try #require(report["highestPeak"] as? Int)
            #expect(peak > 1_000_000 && peak < 32 << 20)
            let files = lines.dropLast()
            #expect(files.count == 2 && report["files"] as? Int == 2)
            for file in files {
                #expect(file["rung"] is String && file["measuredPeak"] is Int)
                #expect(file["predictedPeak"] is Int)
            }
        }
    }

    @Test("The command line overrides the environment, and invalid variables are named")
    func environment() throws {
        try WorkingFolder.with { folder in
            let command = "thimble process Images/still-life.png --id x --report json"
            let fromEnvironment = try Command.shell(
                "THIMBLE_CONTAINER=C THIMBLE_CAP=33MiB THIMBLE_ENFORCE=monitor \(command)",
                in: folder)
            #expect(fromEnvironment.code == 0, "\(fromEnvironment.errors)")
            #expect(fromEnvironment.output.contains("\(33 << 20)"))
            #expect(fromEnvironment.output.contains("\"monitor\""))
            let fromCommandLine = try Command.shell(
                "THIMBLE_CONTAINER=nowhere THIMBLE_CAP=33MiB \(command) --cap 34MiB --container C",
                in: folder)
            #expect(fromCommandLine.output.contains("\(34 << 20)"))
            for (variable, value) in [
                ("THIMBLE_CAP", "lots"), ("THIMBLE_ENFORCE", "kindly"), ("THIMBLE_TIMEOUT", "soon"),
                ("THIMBLE_REPORT", "poem"), ("THIMBLE_TOLERATE_TRUNCATION", "perhaps"),
                ("THIMBLE_LOG_LEVEL", "whisper"),
            ] {
                let run = try Command.shell(
                    "\(variable)=\(value) \(command) --container D", in: folder)
                #expect(run.code == 64 && run.errors.contains(variable), "\(variable)")
            }
            let jobs = try Command.shell(
                "THIMBLE_JOBS=-1 thimble batch Images --container D", in: folder)
            #expect(jobs.code == 64 && jobs.errors.contains("THIMBLE_JOBS"))
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "D").path))
            let help = try Command.thimble("--help", in: folder)
            #expect(help.output.contains("THIMBLE_CAP"))
        }
    }

    @Test("Unavailable requirements are errors before any work")
    func unusable() throws {
        try WorkingFolder.with { folder in
            let small = try Command.shell(
                "thimble batch Images --container C --cap 1MiB --enforce monitor", in: folder)
            #expect(small.code == 1)
            #expect(small.errors.hasPrefix("error: ") && small.errors.contains("raise the cap"))
            #expect(
                try Command.shell(
                    "thimble batch Images --container C --enforce kindly", in: folder
                ).code == 64)
            #expect(
                try Command.shell(
                    "thimble batch Images --container C --timeout 0", in: folder
                ).code == 64)
            let alone = try Command.shell(
                "cp \"$(command -v thimble)\" alone && ./alone batch Images --container C",
                in: folder)
            #expect(alone.code == 1 && alone.errors.contains("thimble-worker"))
        }
    }
}
