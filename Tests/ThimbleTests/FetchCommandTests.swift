import Foundation
import OriginServer
import Testing

@Suite("Commands with URLs", .timeLimit(.minutes(2)))
struct FetchCommandTests {
    private static let picture =
        "/picture?path=\(Command.package.appending(path: "Images/lake-baseline.jpg").path)"

    /// Options that allow an origin.
    private static func allowing(_ origin: Origin) -> String {
        "--allow-http --allow-network 127.0.0.1/32 --allow-port \(origin.port)"
    }

    @Test("A payload's URL is fetched once for all payloads that name it")
    func stage() throws {
        let origin = try Origin()
        try WorkingFolder.with { folder in
            let url = origin.url(Self.picture)
            let lines = (0..<20).map { #"{"aps":{"alert":"\#($0)"},"attachment":"\#(url)"}"# }
            try Data(lines.joined(separator: "\n").utf8)
                .write(to: folder.appending(path: "in.ndjson"))
            let run = try Command.shell(
                "thimble stage --container C \(Self.allowing(origin)) < in.ndjson", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let answers = run.output.split(separator: "\n")
            #expect(answers.count == 20)
            #expect(answers.allSatisfy { $0.contains(#""outcome":"rendition""#) })
            #expect(origin.requests.count == 1)
            let verify = try Command.thimble("container", "verify", "--container", "C", in: folder)
            #expect(verify.code == 0, "\(verify.output)")
        }
    }

    @Test("A payload whose picture cannot be fetched is unchanged, and its URL has no secrets")
    func reasons() throws {
        let origin = try Origin()
        try WorkingFolder.with { folder in
            let cases = [
                (origin.url("/file?status=404&secret"), "http-status"),
                (origin.url("/redirect?to=http://127.0.0.2:\(origin.port)/"), "refused-address"),
                (origin.url("/drip"), "late"), ("https://127.0.0.1:1/a#secret", "refused-port"),
                ("https://secret@example.com/a", "invalid-url"),
                ("ftp://example.com/a?secret", "refused-scheme"),
            ]
            let lines = cases.map { #"{"aps":{"alert":"x"},"attachment":"\#($0.0)"}"# }
            try Data(lines.joined(separator: "\n").utf8)
                .write(to: folder.appending(path: "in.ndjson"))
            let run = try Command.shell(
                "thimble stage --container C --deadline 3 \(Self.allowing(origin)) < in.ndjson",
                in: folder)
            #expect(run.code == 3)
            #expect(run.output == lines.joined(separator: "\n"))
            let reports = run.errors.split(separator: "\n")
            try #require(reports.count == cases.count)
            for (report, (_, code)) in zip(reports, cases) {
                #expect(report.contains("without-picture [\(code)]"), "\(report)")
            }
            #expect(!run.errors.contains("secret"))
            #expect(run.errors.contains(": https://example.com/a: without-picture"))
        }
    }

    @Test("A fetched file is judged by its bytes, whatever type the server states")
    func types() throws {
        let origin = try Origin()
        try WorkingFolder.with { folder in
            let targets = [
                "/file?type=image/jpeg&text=%3Chtml%3E", "/file?type=image/png&text=%25PDF-1.7",
                "/file?type=image/gif&bytes=4096", Self.picture + "&type=text/html",
            ]
            let lines = targets.map { #"{"aps":{"alert":"x"},"attachment":"\#(origin.url($0))"}"# }
            try Data(lines.joined(separator: "\n").utf8)
                .write(to: folder.appending(path: "in.ndjson"))
            let run = try Command.shell(
                "thimble stage --container C \(Self.allowing(origin)) < in.ndjson", in: folder)
            #expect(run.code == 3)
            for number in 1...3 {
                let place = "line \(number): \(origin.url("/file")): "
                #expect(run.errors.contains("\(place)without-picture [unsupported]"))
            }
            let answers = run.output.split(separator: "\n")
            #expect(answers.last?.contains(#""outcome":"rendition""#) == true, "\(run.errors)")
        }
    }

    @Test("Without fetching, nothing is contacted")
    func off() throws {
        let origin = try Origin()
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                """
                echo '{"aps":{"alert":"x"},"attachment":"\(origin.url(Self.picture))"}' |
                    THIMBLE_FETCH=no thimble stage --container C \(Self.allowing(origin))
                """, in: folder)
            #expect(run.errors.contains("without-picture [unavailable]"), "\(run.errors)")
            #expect(origin.requests.isEmpty)
        }
    }

    @Test("process, inspect and batch --list take URLs beside paths")
    func commands() throws {
        let origin = try Origin()
        try WorkingFolder.with { folder in
            let allowing = Self.allowing(origin)
            let url = origin.url(Self.picture)
            let process = try Command.shell(
                "thimble process '\(url)' --id a --container C \(allowing)", in: folder)
            #expect(process.code == 0 && process.output.contains("4032x3024"))
            let inspect = try Command.shell(
                """
                THIMBLE_ALLOW_HTTP=yes THIMBLE_ALLOW_PORT=\(origin.port),1 \
                    THIMBLE_ALLOW_NETWORK=10.0.0.0/8,127.0.0.1/32 thimble inspect '\(url)'
                """, in: folder)
            #expect(inspect.code == 0 && inspect.output.contains("4032x3024 upright"))
            let missing = origin.url("/file?status=404&secret")
            let batch = try Command.shell(
                """
                printf '%s\\n' Images/lake-baseline.jpg '' '\(url)' '\(missing)' Images/none.jpg |
                    thimble batch --list - --container C --report json \(allowing)
                """, in: folder)
            #expect(batch.code == 3)
            let lines = batch.output.split(separator: "\n")
            #expect(lines.count == 5)
            #expect(lines.count { $0.contains(#""outcome":"reused""#) } == 2)
            #expect(lines.contains { $0.contains(#""error":"http-status""#) })
            #expect(lines.contains { $0.contains(#""error":"unreadable""#) })
            #expect(lines.last?.contains(#""files":4"#) == true)
            #expect(!batch.output.contains("secret") && !batch.errors.contains("secret"))
            let list = try Command.shell("thimble batch --list none --container C", in: folder)
            #expect(list.code == 1)
            let both = try Command.shell("thimble batch Images --list x --container C", in: folder)
            #expect(both.code == 64)
        }
    }

    @Test("Lines with one location are one fetch and one decoding", arguments: [1, 4])
    func equalLines(jobs: Int) throws {
        let origin = try Origin()
        try WorkingFolder.with { folder in
            let url = origin.url(Self.picture)
            let run = try Command.shell(
                """
                for line in $(seq 60); do echo '\(url)'; done |
                    thimble batch --list - --container C --jobs \(jobs) --report json \
                        \(Self.allowing(origin))
                """, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            #expect(origin.count(Self.picture) == 1)
            let lines = run.output.split(separator: "\n").dropLast()
            #expect(lines.count == 60)
            #expect(lines.count { $0.contains(#""outcome":"made""#) } == 1)
            #expect(lines.count { $0.contains(#""outcome":"unchanged""#) } == 59)
        }
    }

    @Test("Commands that are killed at any moment leave no torn entry and no process")
    func killed() throws {
        let origin = try Origin()
        try WorkingFolder.with { folder in
            for name in ["thimble", "thimble-transfer", "thimble-row-worker"] {
                let built = Command.products.appending(path: name)
                let program = folder.appending(path: name)
                do {
                    try FileManager.default.linkItem(at: built, to: program)
                } catch {
                    try FileManager.default.copyItem(at: built, to: program)
                }
            }
            let target = "/file?bytes=3000000&cache=max-age=600&text="
            let run = try Command.shell(
                """
                for round in $(seq 12); do
                    for text in same $round; do
                        ./thimble process '\(origin.url(target))'$text --id $text --container C \
                            \(Self.allowing(origin)) >/dev/null 2>&1 & PIDS="$PIDS $!"
                    done
                    sleep 0.$((RANDOM % 30 + 5))
                    kill -KILL $PIDS; wait $PIDS 2>/dev/null; PIDS=
                done
                sleep 1
                for process in /proc/[0-9]*; do
                    case $(readlink $process/exe) in "$PWD"/*) echo "left: $process" ;; esac
                done
                cd C/fetched && for body in *.body; do
                    [ -e "$body" ] || continue
                    [ "$(sha256sum <"$body")" = "${body%.body}  -" ] || echo "torn: $body"
                done
                echo "$(ls | wc -l) files"
                """, in: folder)
            #expect(run.output.hasSuffix(" files\n") && !run.output.contains(":"), "\(run.output)")
            // A whole entry is used afterwards.
            let last = try Command.shell(
                "thimble process '\(origin.url(target))same' --id a --container C "
                    + Self.allowing(origin), in: folder)
            #expect(last.errors.contains("unsupported") || last.errors.contains("looks like"))
        }
    }

    @Test("Interruption ends a slow transfer at once, and leaves nothing behind")
    func interruption() throws {
        let origin = try Origin()
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                """
                thimble process '\(origin.url("/drip"))' --id a --container C \
                    \(Self.allowing(origin)) & PID=$!
                sleep 1; kill -TERM $PID; wait $PID; echo "code $?"
                ls C/incoming C/fetched | grep -v : | grep -c .
                """, in: folder)
            #expect(run.output.contains("code 130\n0\n"), "\(run.output) \(run.errors)")
        }
    }
}
