import Foundation
import Testing

@Suite("Access to S3 servers", .timeLimit(.minutes(2)))
struct PublishServerTests {
    /// Prints the headers that the server stored with its first object.
    private static let headers = """
        head -n 1 "$(find objects -type f | head -n 1)"
        """

    private static let certificates = """
        request() {
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 \\
                "$@" 2>/dev/null
        }
        request -subj /CN=Authority -keyout ca.key -out ca.pem
        request -subj /CN=Server -addext subjectAltName=IP:127.0.0.1 -CA ca.pem -CAkey ca.key \\
            -keyout server.key -out server.pem
        request -subj /CN=Other -keyout other.key -out other.pem
        stop; serve server.pem server.key
        ENDPOINT=https://127.0.0.1:$PORT

        """

    @Test("The token of temporary credentials is sent and signed")
    func sessionToken() throws {
        let run = try StoreShell(
            """
            export AWS_SESSION_TOKEN=temporary/+token==
            payload lake-baseline.jpg | stage >out; echo "code $?"
            statuses out
            \(Self.headers)
            """)
        #expect(run.output.hasPrefix("code 0\nstatus 200\n"), "\(run.output)")
        let headers = run.output.split(separator: "\n").last.map(String.init) ?? ""
        #expect(headers.contains(#""x-amz-security-token": "temporary/+token==""#), "\(headers)")
        let signed = headers.firstMatch(of: /SignedHeaders=([^,]*)/)?.1.split(separator: ";") ?? []
        #expect(signed.contains("x-amz-security-token"), "\(headers)")
        #expect(signed.contains("x-amz-content-sha256") && signed.contains("host"), "\(headers)")
    }

    @Test("The bucket is written into the host's name")
    func virtualHost() throws {
        let run = try StoreShell(
            """
            ENDPOINT=http://localhost:$PORT
            payload lake-baseline.jpg | stage --no-s3-path-style >out; echo "code $?"
            statuses out
            grep -c "http://renditions.localhost:$PORT/p/" out
            \(Self.headers)
            """)
        #expect(run.output.hasPrefix("code 0\nstatus 200\n1\n"), "\(run.output)")
        #expect(run.output.contains(#""host": "renditions.localhost:"#), "\(run.output)")
    }

    @Test(
        "Only a certificate of a known authority for the host is accepted",
        arguments: [
            ("AWS_CA_BUNDLE=ca.pem stage", "code 0\nstatus 200\n"),
            ("AWS_CA_BUNDLE=other.pem stage --s3-ca-file ca.pem", "code 0\nstatus 200\n"),
            ("stage", "code 3\n[publish-tls"),
            ("stage --s3-ca-file other.pem", "code 3\n[publish-tls"),
            (
                "ENDPOINT=https://localhost:$PORT stage --s3-ca-file ca.pem",
                "code 3\n[publish-tls"
            ),
            ("stage --s3-ca-file none.pem", "code 1\n"),
        ])
    func certificate(command: String, expected: String) throws {
        let run = try StoreShell(
            Self.certificates + """
                payload lake-baseline.jpg >in
                \(command) <in >out 2>report; code=$?
                echo "code $code"
                grep -o '\\[publish-[a-z-]*' report
                statuses out
                [ $code = 0 ] || grep -q '"attachment":"Images/' out || echo differs
                cat report
                """)
        #expect(run.output.hasPrefix(expected), "\(run.output)")
        #expect(!run.output.contains("differs"), "\(run.output)")
        if expected.hasPrefix("code 1") {
            #expect(run.output.contains("authorities cannot be read"), "\(run.output)")
        }
    }

    @Test("Expired credentials are replaced by those that the file has meanwhile")
    func rotation() throws {
        let run = try StoreShell(
            """
            unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
            keys() {
                printf '[push]\\naws_access_key_id=%s\\naws_secret_access_key=x\\n' $1 >keys.new
                mv keys.new keys
            }
            export AWS_PROFILE=push AWS_SHARED_CREDENTIALS_FILE=$PWD/keys
            keys old
            mkfifo payloads
            stage <payloads >out 2>report &
            exec 8>payloads
            payload lake-baseline.jpg >&8
            until grep -q http out; do sleep 0.05; done
            faults '[{"kind": "error", "status": 400, "code": "ExpiredToken", "key": "old"}]'
            keys new
            payload still-life.png >&8
            exec 8>&-
            wait $!; echo "code $?"
            statuses out
            cat report
            """)
        #expect(run.output == "code 0\nstatus 200\nstatus 200\n", "\(run.output)")
    }

    @Test("A request to wait is honoured within the deadline")
    func retryAfter() throws {
        let run = try StoreShell(
            """
            faults '[{"kind": "error", "status": 503, "code": "SlowDown", "method": "PUT",
                "retry-after": 2, "count": 1}]'
            payload lake-baseline.jpg | stage >out; echo "code $?"
            statuses out
            awk '/^PUT/ { if (first) print ($4 - first >= 2) ? "waited" : "hurried"
                first = $4 }' log
            faults '[{"kind": "error", "status": 503, "method": "PUT", "retry-after": 30}]'
            payload still-life.png | stage --deadline 20 >out 2>report; echo "code $?"
            grep -o '\\[publish-[a-z-]*' report
            echo "requests $(grep -c '^PUT' log)"
            """)
        #expect(
            run.output == """
                code 0
                status 200
                waited
                code 3
                [publish-failed
                requests 3

                """, "\(run.output)")
    }
}
