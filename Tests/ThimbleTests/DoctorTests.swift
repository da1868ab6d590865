import Foundation
import Testing

@Suite("thimble doctor", .timeLimit(.minutes(2)))
struct DoctorTests {
    private struct Report: Decodable {
        struct Check: Decodable {
            let part: String
            let status: String
            let found: String
            let remedy: String?
        }

        let status: String
        let checks: [Check]

        subscript(part: String) -> [Check] { checks.filter { $0.part == part } }
    }

    private static func check(_ line: String, in folder: URL) throws -> (Report, Command) {
        let run = try Command.shell(line, in: folder)
        return (try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)), run)
    }

    @Test("A machine in order has no failure, and every part is checked")
    func inOrder() throws {
        try WorkingFolder.with { folder in
            let (report, run) = try Self.check(
                "mkdir t; TMPDIR=$PWD/t thimble doctor --report json; code=$?; rmdir t && exit $code",
                in: folder)
            #expect(run.code == 0 && report.status != "failed", "\(run.output)\(run.errors)")
            #expect(
                Set(report.checks.map(\.part)) == [
                    "cap", "memory", "worker", "sandbox", "scratch", "authorities", "fetch",
                    "ffmpeg",
                    "chromium",
                ])
            #expect(report["worker"].count == 2 && report["sandbox"].count == 3)
            #expect(report["worker"].allSatisfy { $0.status == "ok" })
            #expect(report.checks.allSatisfy { ($0.status == "ok") == ($0.remedy == nil) })
        }
    }

    @Test("Only what processing needs makes the exit code 1; the rest are warnings with a remedy")
    func missingParts() throws {
        try WorkingFolder.with { folder in
            let start = "mkdir bin; cp '\(Command.products.path)'/thimble bin; "
            let doctor = "PATH=/nowhere bin/thimble doctor --report json"
            let (nothing, failed) = try Self.check(start + doctor, in: folder)
            #expect(failed.code == 1 && nothing.status == "failed")
            #expect(nothing["worker"].contains { $0.remedy?.contains("make install") == true })
            let (some, warned) = try Self.check(
                "cp '\(Command.products.path)'/thimble-*worker bin; \(doctor)", in: folder)
            #expect(warned.code == 0 && some.status == "warning", "\(warned.output)")
            for part in ["fetch", "ffmpeg", "chromium"] {
                #expect(some[part].first?.status == "warning", "\(part)")
                #expect(some[part].first?.found.hasPrefix("not available: ") == true)
            }
        }
    }

    @Test("A folder of scratch files in memory is a warning")
    func scratchInMemory() throws {
        try WorkingFolder.with { folder in
            let (report, run) = try Self.check(
                "TMPDIR=/dev/shm thimble doctor --report json", in: folder)
            #expect(run.code == 0)
            #expect(report["scratch"].first?.status == "warning", "\(run.output)")
        }
    }

    @Test("Each check is one line with status, part, finding and remedy")
    func lines() throws {
        try WorkingFolder.with { folder in
            let run = try Command.thimble("doctor", "--enforce", "monitor", in: folder)
            #expect(run.code == 0)
            let lines = run.output.split(separator: "\n")
            #expect(lines.count >= 9)
            for line in lines {
                #expect(["ok      ", "warning ", "failed  "].contains { line.hasPrefix($0) })
            }
            #expect(
                lines.contains(
                    "warning  cap              monitor enforces 24 MiB, and misses short peaks; "
                        + "choose --enforce auto"))
        }
    }
}
