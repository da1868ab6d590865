import AttachmentStore
import Foundation
import Testing

@Suite("Publishing to stores", .timeLimit(.minutes(2)))
struct PublishTests {
    @Test("Every rendition is uploaded once, and every URL of a payload answers")
    func once() throws {
        let run = try StoreShell(
            """
            for _ in $(seq 10); do payload lake-baseline.jpg; payload still-life.png; done >in.ndjson
            stage <in.ndjson >out; echo "code $?"
            statuses out
            payload still-life.png | stage >again; echo "code $?"
            statuses again
            echo "uploads $(grep -c '^PUT ' log)"
            thimble container list --published --container C
            thimble container verify --container C >/dev/null; echo "verified $?"
            """)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count { $0 == "status 200" } == 3, "\(run.output)")
        #expect(lines.count { $0 == "code 0" } == 2, "\(run.output)")
        #expect(lines.contains("uploads 2") && lines.contains("verified 0"), "\(run.output)")
        #expect(lines.count { $0.hasPrefix("s3://renditions/p/") } == 2, "\(run.output)")
    }

    @Test(
        "A server that fails for a moment costs no payload its URL",
        arguments: [
            #"{"kind": "drop", "method": "PUT", "count": 1}"#,
            #"{"kind": "lost-answer", "method": "PUT", "count": 1}"#,
            #"{"kind": "error", "status": 503, "code": "SlowDown", "count": 2}"#,
            #"{"kind": "garbage", "method": "HEAD", "count": 1}"#,
            #"{"kind": "wrong-length", "method": "HEAD", "count": 1}"#,
            #"{"kind": "slow", "seconds": 1, "count": 2}"#,
        ])
    func transient(fault: String) throws {
        let run = try StoreShell(
            """
            faults '[\(fault)]'
            payload lake-baseline.jpg | stage >out; echo "code $?"
            statuses out
            """)
        #expect(run.output.contains("code 0\nstatus 200"), "\(fault): \(run.output)")
    }

    @Test(
        "A server that keeps failing leaves the payload's own location, and the report says why",
        arguments: [
            (#"{"kind": "error", "status": 403, "code": "SignatureDoesNotMatch"}"#, "credentials"),
            (#"{"kind": "error", "status": 404, "code": "NoSuchBucket"}"#, "no-bucket"),
            (#"{"kind": "error", "status": 403, "skew": 3600}"#, "clock-skewed"),
            (#"{"kind": "error", "status": 507}"#, "full"),
            (#"{"kind": "hang", "seconds": 20}"#, ""), (#"{"kind": "drop"}"#, ""),
            (#"{"kind": "endless"}"#, ""),
        ])
    func lasting(fault: String, code: String) throws {
        let run = try StoreShell(
            """
            faults '[\(fault)]'
            SECONDS=0
            payload lake-baseline.jpg | stage --deadline 3 >out 2>report; echo "code $?"
            [ $SECONDS -lt 6 ] && echo in time
            grep -q '"attachment":"Images/lake-baseline.jpg"' out && echo unchanged
            cat report
            """)
        #expect(run.output.hasPrefix("code 3\nin time\nunchanged\n"), "\(run.output)")
        #expect(run.output.contains("[publish-\(code)"), "\(run.output)")
        #expect(!run.output.contains("secret"))
    }

    @Test("Without credentials nothing is sent")
    func credentials() throws {
        let run = try StoreShell(
            """
            unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
            payload lake-baseline.jpg | stage; echo "code $?"
            echo "requests $(($(wc -l <log) - 1))"
            """)
        #expect(run.output.contains("AWS_ACCESS_KEY_ID"), "\(run.output)")
        #expect(run.output.contains("requests 0") && !run.output.contains("code 0"))
    }

    @Test("A folder receives the same names, readable for a web server")
    func folder() throws {
        let run = try StoreShell(
            """
            payload lake-baseline.jpg | thimble stage --container C --allow-root Images \\
                --publish Published --publish-url https://cdn.example/r >out; echo "code $?"
            file=$(grep -o 'https://cdn.example/r/[^"]*' out | sed 's|.*/r/||')
            stat -c %a "Published/$file"
            [ "$(sha256sum <"Published/$file")" = "$(basename "${file%.jpg}")  -" ] && echo whole
            """)
        #expect(run.output == "code 0\n644\nwhole\n", "\(run.output)")
    }

    @Test("Pruning removes objects past their time; a store that is down loses no record")
    func pruning() throws {
        let run = try StoreShell(
            """
            prune() {
                thimble container prune --published --container C --keep-published 0 --grace 1
                echo "code $?"
            }
            payload lake-baseline.jpg | stage >out
            thimble container prune --published --container C; statuses out
            sleep 1.1
            stop; prune
            echo "records $(thimble container list --published --container C | grep -c s3:)"
            serve; prune
            echo "records $(thimble container list --published --container C | grep -c s3:)"
            echo "objects $(ls objects | wc -l)"
            payload lake-baseline.jpg | stage >out; statuses out
            """)
        let expected = ["status 200", "code 3", "records 1", "code 0", "records 0", "objects 0"]
        let lines = run.output.split(separator: "\n").filter { line in
            ["status", "code", "records", "objects"].contains { line.hasPrefix($0 + " ") }
        }
        #expect(lines == (expected + ["status 200"]).map { $0[...] }, "\(run.output)")
    }

    @Test("Pruning removes what killed publishers left in a folder, though no object is old")
    func leftovers() throws {
        let run = try StoreShell(
            """
            payload lake-baseline.jpg | thimble stage --container C --allow-root Images \\
                --publish $PWD/F --publish-url https://example.org >out
            ID=01234567-89AB-CDEF-0123-456789ABCDE
            SUB=$(dirname $(find F -name '*.jpg' | head -n 1))
            mkdir -p F/sources/ab F/foreign
            touch -d '2 hours ago' $SUB/.thimble-${ID}0 F/sources/ab/.thimble-${ID}1
            touch -d '2 hours ago' $SUB/.thimble-mine $SUB/.other-${ID}2
            touch $SUB/.thimble-${ID}3
            ln -s $PWD/D F/foreign/link; mkdir D; touch -d '2 hours ago' D/.thimble-${ID}4
            prune() { thimble container prune --published --container C "$@" | tail -n 1; }
            prune --dry-run; echo "left $(find F D -name '.*-*' | wc -l)"
            prune; echo "left $(find F D -name '.*-*' | wc -l)"
            ls -A $SUB | grep '^[.]' ; ls -A F/sources/ab D
            prune
            """)
        let lines = run.output.split(separator: "\n")
        #expect(
            lines == [
                "2 unfinished files of killed publishers would be removed, 0 B", "left 6",
                "2 unfinished files of killed publishers removed, 0 B", "left 4",
                ".other-01234567-89AB-CDEF-0123-456789ABCDE2",
                ".thimble-01234567-89AB-CDEF-0123-456789ABCDE3", ".thimble-mine", "D:",
                ".thimble-01234567-89AB-CDEF-0123-456789ABCDE4", "F/sources/ab:",
                "0 of 1 object removed, 0 B",
            ], "\(run.output)")
    }

    @Test("A folder whose path begins with a combining mark is read back from its record")
    func strangeFolder() throws {
        let destination = try StoreDestination(
            "/\u{32F}0%", S3Settings(), AWSConfiguration([:]))
        let record = try JSONEncoder().encode(destination)
        #expect(try JSONDecoder().decode(StoreDestination.self, from: record) == destination)
    }

    @Test("A folder of records that a killed publisher left without a description stops no pruning")
    func missingDescription() throws {
        let run = try StoreShell(
            """
            records() {
                thimble container $1 --published --container C ${2:-} >out 2>&1
                echo "$1 $? $(grep -c 'description of the destination is missing' out)"
            }
            payload lake-baseline.jpg | stage >staged
            mkdir C/published/0123456789abcdef0123456789abcdef
            records prune; records prune --dry-run; records list
            rm C/published/*/destination.json
            records prune; records list
            payload lake-baseline.jpg | stage >staged
            records prune; records list
            """)
        let expected = """
            prune 0 0
            prune 0 0
            list 0 0
            prune 3 1
            list 3 1
            prune 0 0
            list 0 0

            """
        #expect(run.output == expected)
    }
}
