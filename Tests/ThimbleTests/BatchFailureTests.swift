import Foundation
import Testing

@Suite("Failures of thimble batch", .timeLimit(.minutes(5)))
struct BatchFailureTests {
    private struct File: Decodable {
        let file, outcome: String
        let line: Int?
        let reason: String?
    }

    private struct Summary: Decodable {
        let files, made, failed, unreadableFolders, notDone: Int
    }

    private typealias Report = BatchOutput<File, Summary>

    private static let isRoot = geteuid() == 0

    @Test(
        "A folder that cannot be listed is named, counted and a failure",
        .enabled(if: isRoot, "only root can become another user"))
    func unreadable() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                """
                mkdir -p In/closed In/open C && cp Images/still-life-ready.jpg In/closed/a.jpg
                cp Images/still-life-ready.jpg In/open/b.jpg
                chmod 700 In/closed && chmod 777 . C && chmod 755 In In/open
                setpriv --reuid 65534 --regid 65534 --clear-groups \\
                    thimble batch In --container C --report json
                """, in: folder)
            #expect(run.code == 3, "\(run.errors)")
            let report = try Report(run.output)
            #expect(report.summary.unreadableFolders == 1 && report.summary.failed == 0)
            #expect(report.summary.files == 1 && report.summary.made == 1)
            let closed = try #require(report.files.first { $0.outcome == "unreadable-folder" })
            #expect(closed.file == "closed")
            #expect(closed.reason == "the folder cannot be listed: Permission denied")
        }
    }

    @Test("A folder whose path is too long for the system is a failure too")
    func tooLong() throws {
        try WorkingFolder.with { folder in
            let name = String(repeating: "n", count: 240)
            let run = try Command.shell(
                """
                mkdir In && cp Images/still-life-ready.jpg In/a.jpg
                (cd In && for i in $(seq 18); do mkdir \(name) && cd \(name) || exit 1; done)
                thimble batch In --container C; echo "code $?"
                rm -rf In
                """, in: folder)
            #expect(run.output.contains("1 folder could not be listed"))
            #expect(run.output.contains("File name too long") && run.output.contains("code 3"))
        }
    }

    @Test(
        "A full disk ends the batch with one message, and the same command goes on",
        .enabled(if: isRoot, "only root can mount a small file system"))
    func fullDisk() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                """
                mkdir M In
                for i in $(seq 12); do (cat Images/lake-baseline.jpg; echo $i) > In/$i.jpg; done
                export batch='thimble batch In --container M/C --scratch . --report json'
                unshare -m bash -c 'mount -t tmpfs -o size=20m tmpfs M
                    head -c 20450000 /dev/zero > M/fill
                    $batch > full; echo "code $?"; rm M/fill; $batch > again; echo "code $?"'
                """, in: folder)
            #expect(run.output == "code 1\ncode 0\n", "\(run.errors)")
            let messages = run.errors.split(separator: "\n")
            #expect(messages.count == 1 && messages[0].contains("can store nothing more"))
            let full = try Report(
                String(contentsOf: folder.appending(path: "full"), encoding: .utf8))
            #expect(full.summary.failed == 0 && full.summary.notDone > 0)
            #expect(full.summary.made + full.summary.notDone == 12)
            let again = try Report(
                String(contentsOf: folder.appending(path: "again"), encoding: .utf8))
            #expect(again.summary.files == 12 && again.summary.notDone == 0)
        }
    }

    @Test("Failures are grouped by cause, and lines for files need --verbose")
    func groups() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                """
                mkdir In && for i in 1 2 3; do cp Images/letter.jpg In/$i.jpg; done
                cp Images/ridges-truncated.jpg In && cp Images/still-life-ready.jpg In
                thimble batch In --container C
                """, in: folder)
            #expect(run.code == 3 && run.errors.isEmpty)
            let lines = run.output.split(separator: "\n").map(String.init)
            let first = try #require(lines.firstIndex { $0.hasPrefix("3 failed [unsupported]: ") })
            #expect(lines[(first + 1)...(first + 3)].contains { $0.hasPrefix("  1.jpg: ") })
            #expect(lines[first + 4].hasPrefix("1 failed [truncated]: "))

            let verbose = try Command.shell("thimble batch In --container C --verbose", in: folder)
            #expect(verbose.errors.split(separator: "\n").count == 5)
            let quiet = try Command.shell(
                "rm In/[123].jpg In/ridges*; thimble batch In --container C --quiet", in: folder)
            #expect(quiet.code == 0 && quiet.output.isEmpty && quiet.errors.isEmpty)
        }
    }

    @Test("Failures of a list have their line, and URLs without query")
    func list() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                #"printf '\nImages/none.jpg\nhttps://127.0.0.1/a.jpg?token=1\n' > list; "#
                    + "thimble batch --list list --container C", in: folder)
            #expect(run.code == 3)
            #expect(run.output.contains("  line 2: Images/none.jpg: "))
            #expect(run.output.contains("  line 3: https://127.0.0.1/a.jpg: "))
            #expect(!run.output.contains("token"))
        }
    }
}
