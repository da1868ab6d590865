import AttachmentContainer
import AttachmentWorker
import Foundation
import Testing

@testable import thimble

/// Serialized, because parallel tests would affect the measurements.
@Suite("A run of a command", .serialized, .timeLimit(.minutes(2)))
struct CommandRunTests {
    /// Footprint of Python without the allocation.
    private func baseline(in folder: URL) async throws -> Int {
        try await CommandRun(Allocation.command(mebibytes: 1), in: folder).measure()
            .peakFootprint.bytes - 1 << 20
    }

    @Test("Allocations are measured within a megabyte")
    func allocation() async throws {
        let folder = try ScratchFolder()
        let base = try await baseline(in: folder.url)
        let run = try await CommandRun(Allocation.command(mebibytes: 64), in: folder.url).measure()
        #expect(run.ending == .exited(0), "\(run.complaint)")
        #expect(abs(run.peakFootprint.bytes - base - 64 << 20) < 1_000_000)
        #expect(run.maximumResident > run.peakFootprint)
        #expect(run.wall > 0.2)
    }

    @Test("Descendants count; with a worker name, only that process counts")
    func descendants() async throws {
        let folder = try ScratchFolder()
        let base = try await baseline(in: folder.url)
        var run = CommandRun(
            ["/bin/sh", "-c", #""$@" & wait"#, "x"] + Allocation.command(mebibytes: 32),
            in: folder.url)
        let all = try await run.measure()
        #expect(all.peakFootprint.bytes > base + 32 << 20)
        run.workers = ["sh"]
        let shell = try await run.measure()
        #expect(shell.peakFootprint.bytes < 4 << 20)
        run.workers = ["no-such-worker"]
        let none = try await run.measure()
        #expect(none.peakFootprint == ByteCount(0))
        #expect((none.besidePeak?.bytes ?? 0) > base + 32 << 20)
    }

    @Test("A command is killed only under a cap that it exceeds")
    func caps() async throws {
        let folder = try ScratchFolder()
        let hierarchy = try ControlGroupHierarchy.delegated()
        for (cap, survives) in [(32, false), (96, true)] {
            let group = try hierarchy.makeGroup(limit: .mebibytes(cap))
            defer { group.remove() }
            var run = CommandRun(Allocation.command(mebibytes: 64), in: folder.url)
            run.group = group
            let measurement = try await run.measure()
            #expect((measurement.ending == .exited(0)) == survives)
            #expect((measurement.kills > 0) == !survives)
        }
    }

    @Test("The time limit stops a command and its descendants")
    func timeLimit() async throws {
        let folder = try ScratchFolder()
        let mark = "\(3600 + Int.random(in: 1...9999))"
        var run = CommandRun(["/bin/sh", "-c", "sleep \(mark) & sleep \(mark)"], in: folder.url)
        run.timeLimit = .milliseconds(300)
        let measurement = try await run.measure()
        #expect(measurement.ending == .timedOut)
        let left = try FileManager.default.contentsOfDirectory(atPath: "/proc").contains {
            (try? String(contentsOfFile: "/proc/\($0)/cmdline", encoding: .utf8))?
                .contains("sleep\0\(mark)") == true
        }
        #expect(!left)
    }

    @Test("A cancelled run stops the command")
    func cancellation() async throws {
        let folder = try ScratchFolder()
        // Several times, because the command may end before or after the run notices.
        for _ in 0..<20 {
            let run = CommandRun(["/bin/sleep", "60"], in: folder.url)
            let task = Task { try await run.measure() }
            try await Task.sleep(for: .milliseconds(50))
            task.cancel()
            let error = await #expect(throws: BenchmarkError.self) { try await task.value }
            #expect(error?.isInterruption == true)
        }
    }

    @Test("A missing program is reported by name")
    func missing() async throws {
        let folder = try ScratchFolder()
        let error = await #expect(throws: BenchmarkError.self) {
            try await CommandRun(["no-such-program"], in: folder.url).measure()
        }
        #expect(error?.description.contains("no-such-program") == true)
    }
}
