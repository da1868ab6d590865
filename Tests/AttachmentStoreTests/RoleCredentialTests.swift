import AttachmentContainer
import Foundation
import Testing

@testable import AttachmentStore

/// With local stand-ins of the services (`role_stub.py`).
@Suite("Credentials of roles", .timeLimit(.minutes(2)))
struct RoleCredentialTests {
    /// Defines `roles LIFETIME`, which starts the services, and the environment of each of them.
    private static let services = """
        unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
        roles() {
            mkfifo role-input
            /usr/bin/python3 $TESTS/role_stub.py $1 'sec/r3t+=' <role-input >roles 2>role-errors &
            exec 7>role-input
            until [ -s roles ]; do sleep 0.02; done
            SERVICE=http://127.0.0.1:$(head -n 1 roles)
            echo 'sec/r3t+=' >token
        }
        ecs() {
            export AWS_CONTAINER_CREDENTIALS_FULL_URI=$SERVICE/container
            export AWS_CONTAINER_AUTHORIZATION_TOKEN=sec/r3t+=
        }
        eks() {
            export AWS_CONTAINER_CREDENTIALS_FULL_URI=$SERVICE/container
            export AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=$PWD/token
        }
        identity() {
            export AWS_WEB_IDENTITY_TOKEN_FILE=$PWD/token AWS_ROLE_ARN=arn:aws:iam::1:role/push
            export AWS_ENDPOINT_URL_STS=$SERVICE
        }
        profile() {
            mkdir .aws
            printf '[default]\\nrole_arn = arn:aws:iam::1:role/push\\nweb_identity_token_file = %s\\n' \\
                $PWD/token >.aws/config
            export AWS_ENDPOINT_URL_STS=$SERVICE
        }
        instance() { export AWS_EC2_METADATA_SERVICE_ENDPOINT=$SERVICE; }
        # The keys and tokens of uploads.
        uploads() {
            cat objects/* | grep -ao 'Credential=role-[0-9]*\\|"x-amz-security-token": "[^"]*"' | sort -u
        }

        """

    @Test(
        "The role's credentials sign the upload, and are asked for once",
        arguments: ["ecs", "eks", "identity", "profile", "instance"])
    func kinds(_ kind: String) throws {
        let run = try StoreShell(
            Self.services + """
                roles 3600
                \(kind)
                for name in lake-baseline.jpg still-life.png; do payload $name; done >in
                stage <in >out 2>report; echo "code $?"
                statuses out
                uploads
                echo "given out $(grep -c 'GET /.* 200' roles)"
                cat report
                exec 7>&-
                """)
        // Of an instance, the name of the role is asked for too.
        let count = kind == "instance" ? 2 : 1
        #expect(
            run.output == """
                code 0
                status 200
                status 200
                "x-amz-security-token": "token-1"
                Credential=role-1
                given out \(count)

                """, "\(run.output)")
    }

    @Test("Credentials that end in the middle of an upload are replaced, and it is done again")
    func expiry() throws {
        let run = try StoreShell(
            Self.services + """
                roles 3600
                eks
                faults '[{"kind": "error", "status": 400, "code": "ExpiredToken", "key": "role-1",
                    "method": "PUT"}]'
                payload lake-baseline.jpg | stage >out 2>report; echo "code $?"
                statuses out
                uploads
                cat report
                exec 7>&-
                """)
        #expect(
            run.output == """
                code 0
                status 200
                "x-amz-security-token": "token-2"
                Credential=role-2

                """, "\(run.output)")
    }

    @Test("Credentials are renewed before they end; while that fails, the former ones serve")
    func renewal() throws {
        let run = try StoreShell(
            Self.services + """
                roles 20
                eks
                mkfifo payloads
                stage <payloads >out 2>report &
                STAGE=$!
                exec 8>payloads
                payload lake-baseline.jpg >&8
                until grep -q http out; do sleep 0.05; done
                curl() { /usr/bin/python3 -c "import sys, urllib.request
                urllib.request.urlopen(urllib.request.Request('$SERVICE/_status/$1', method='PUT'))"; }
                curl 503
                # Three quarters of the time; ends are rounded to seconds.
                sleep 15
                payload still-life.png >&8
                until [ $(wc -l <out) = 2 ]; do sleep 0.05; done
                curl 200
                sleep 5
                payload still-life-ready.jpg >&8
                exec 8>&-
                wait $STAGE; echo "code $?"
                statuses out
                uploads | grep Credential
                grep -c 'GET .* 503' roles
                echo "refused $(grep -c ' 40[0-3] ' log)"
                exec 7>&-
                """)
        #expect(
            run.output == """
                code 0
                status 200
                status 200
                status 200
                Credential=role-1
                Credential=role-2
                1
                refused 0

                """, "\(run.output)")
    }

    @Test("All who need credentials at once wait for one exchange")
    func sharing() async throws {
        let gate = AsyncStream.makeStream(of: Void.self)
        let exchanges = Lock(0)
        let expected = try #require(S3Credentials(key: "role", secret: "x", sessionToken: "t"))
        let role = RoleCredentials {
            exchanges.withLock { $0 += 1 }
            for await _ in gate.stream {}
            return .success(.init(credentials: expected, end: Date() + 3600))
        }
        let found = await withTaskGroup(of: S3Credentials?.self) { group in
            for _ in 0..<20 { group.addTask { try? await role.current() } }
            for _ in 0..<1000 { await Task.yield() }
            gate.continuation.finish()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found == Array(repeating: expected, count: 20))
        #expect(exchanges.withLock { $0 } == 1)
    }

    @Test("A clock that is set does not keep credentials beyond their time, nor end them before it")
    func jumps() async throws {
        let hour = 3600.0
        let start = (date: Date(), instant: ContinuousClock.now)
        let time = Lock((elapsed: 0.0, jump: 0.0))
        let clock = { @Sendable in
            let (elapsed, jump) = time.withLock { $0 }
            return (date: start.date + elapsed + jump, instant: start.instant + .seconds(elapsed))
        }
        let exchanges = Lock((count: 0, isFailing: false))
        let role = RoleCredentials(clock: clock) {
            let (count, isFailing) = exchanges.withLock {
                $0.count += 1
                return $0
            }
            let credentials = S3Credentials(key: "role-\(count)", secret: "x", sessionToken: "t")
            guard !isFailing, let credentials else {
                return .failure(StoreError(.credentials, reason: "refused"))
            }
            let (now, instant) = clock()
            return .success(
                .init(credentials: credentials, end: now + hour, now: now, at: instant))
        }
        func expect(_ key: String, _ elapsed: Double, jump: Double) async throws {
            time.withLock { $0 = (elapsed, jump) }
            #expect(try await role.current().key == key, "after \(elapsed) s, \(jump)")
        }
        try await expect("role-1", 0, jump: 0)
        // The clock goes back: they are renewed in time all the same.
        try await expect("role-1", 1000, jump: -6 * hour)
        try await expect("role-2", 3400, jump: -6 * hour)
        // The clock goes forward, and a failed renewal keeps what is valid.
        exchanges.withLock { $0.isFailing = true }
        try await expect("role-2", 3500, jump: 6 * hour)
        try await expect("role-2", 3505, jump: 6 * hour)
        #expect(exchanges.withLock { $0.count } == 3)
        // It goes back just after that failure, and the next renewal does not wait for hours.
        exchanges.withLock { $0.isFailing = false }
        try await expect("role-4", 3400 + 3590, jump: 0)
        try await expect("role-4", 3400 + 3600, jump: 0)
        // Nothing is used after its time.
        exchanges.withLock { $0.isFailing = true }
        time.withLock { $0 = (30_000, -12 * hour) }
        await #expect(throws: StoreError.self) { try await role.current() }
    }

    @Test(
        "A service that refuses, redirects or sends no credentials is named, without any secret",
        arguments: [
            ("eks; echo other >token", "the container's agent answered 403"),
            ("eks; rm token", "the file of the role's token has no token"),
            (
                "eks; export AWS_CONTAINER_CREDENTIALS_FULL_URI=$SERVICE/redirect",
                "the container's agent answered 302"
            ),
            (
                "eks; export AWS_CONTAINER_CREDENTIALS_FULL_URI=$SERVICE/latest/api",
                "the container's agent answered 403"
            ),
            ("identity; export AWS_ROLE_ARN=other", "the security token service answered 403"),
            (
                "instance; AWS_EC2_METADATA_SERVICE_ENDPOINT=$SERVICE/x",
                "the instance metadata service answered 400"
            ),
        ])
    func refusals(_ kind: String, _ reason: String) throws {
        let run = try StoreShell(
            Self.services + """
                roles 3600
                \(kind)
                payload lake-baseline.jpg | stage >out 2>report; echo "code $?"
                cat report
                exec 7>&-
                """)
        #expect(run.output.hasPrefix("code 3\n"), "\(run.output)")
        #expect(run.output.contains("[publish-credentials") && run.output.contains(reason))
        #expect(!run.output.contains("sec/r3t"))
    }

    @Test("Keys come first, then the service account, the container, and the instance")
    func order() throws {
        let home = FileManager.default.temporaryDirectory
            .appending(path: "home-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: home.appending(path: ".aws"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        try Data(
            """
            [default]
            region = eu-central-1
            [profile assumed]
            role_arn = arn
            source_profile = default
            [profile keys]
            aws_access_key_id = a
            aws_secret_access_key = b
            """.utf8
        ).write(to: home.appending(path: ".aws/config"))
        let identity = ["AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "arn"]
        let container = ["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/id"]
        let instance = ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://[fd00:ec2::254]/"]
        let machine = container.merging(instance) { $1 }
        let all = machine.merging(identity) { $1 }
        let keys = ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"]
        let agent = RoleSource.container(
            url: "http://169.254.170.2/v2/id", authorization: nil, authorizationFile: nil)
        let cases: [([String: String], RoleSource?)] = [
            (all.merging(keys) { $1 }, nil),
            (
                all,
                .webIdentity(
                    endpoint: "https://sts.eu-central-1.amazonaws.com", role: "arn",
                    session: "thimble", tokenFile: "/token")
            ),
            (machine, agent), (instance, .instance(endpoint: "http://[fd00:ec2::254]")),
            (instance.merging(["AWS_EC2_METADATA_DISABLED": "true"]) { $1 }, nil),
            // The machine's credentials must not replace other kinds of credentials.
            (machine.merging(["AWS_PROFILE": "keys"]) { $1 }, nil),
            (machine.merging(["AWS_PROFILE": "assumed"]) { $1 }, nil),
            (machine.merging(["AWS_PROFILE": "missing"]) { $1 }, nil),
            (machine.merging(["AWS_SHARED_CREDENTIALS_FILE": home.path]) { $1 }, nil),
            (
                ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.23/v1/credentials"],
                .container(
                    url: "http://169.254.170.23/v1/credentials", authorization: nil,
                    authorizationFile: nil)
            ),
        ]
        for (environment, role) in cases {
            let configuration = AWSConfiguration(environment.merging(["HOME": home.path]) { $1 })
            #expect(configuration.role == role, "\(environment)")
        }
        let full = "AWS_CONTAINER_CREDENTIALS_FULL_URI"
        for (name, url) in [
            (full, "http://example.com/"), (full, "http://169.254.169.254/"),
            (full, "ftp://localhost/"), (full, "x"),
            ("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", ".example.com/"),
        ] {
            let configuration = AWSConfiguration(["HOME": home.path, name: url])
            let error = #expect(throws: StoreError.self) { try configuration.credentials() }
            #expect(error?.code == .credentials && configuration.role == nil, "\(url)")
        }
    }
}
