import Foundation
import Testing

@testable import AttachmentStore

@Suite("Credentials of stores", .timeLimit(.minutes(1)))
struct StoreCredentialTests {
    /// A home folder with files of profiles, removed on deinitialisation.
    private final class Home: Sendable {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "home-\(UUID().uuidString)")

        init(credentials: String? = nil, config: String? = nil) throws {
            try FileManager.default.createDirectory(
                at: folder.appending(path: ".aws"), withIntermediateDirectories: true)
            if let credentials { try write(credentials) }
            if let config { try write(config, to: "config") }
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func write(_ text: String, to file: String = "credentials") throws {
            try Data(text.utf8).write(to: folder.appending(path: ".aws/\(file)"), options: .atomic)
        }

        func configuration(_ environment: [String: String] = [:]) -> AWSConfiguration {
            AWSConfiguration(environment.merging(["HOME": folder.path]) { $1 })
        }
    }

    private static let credentials = """
        # Keys of two accounts
        [default]
        aws_access_key_id = first
        aws_secret_access_key=s3cr3t/+=   # kept in the vault
        [other]
          nested = value
        AWS_ACCESS_KEY_ID = second
        aws_secret_access_key = more
        aws_session_token = token==
        [empty]
        """

    private static func keys(_ name: String, token: String? = nil) -> String {
        "[default]\naws_access_key_id=\(name)\naws_secret_access_key=secret\n"
            + (token.map { "aws_session_token=\($0)\n" } ?? "")
    }

    @Test("Keys come from the environment, then from the profile of either file")
    func order() throws {
        let home = try Home(
            credentials: Self.credentials,
            config: """
                [default]
                region = eu-central-1
                [profile third]
                aws_access_key_id = third
                aws_secret_access_key = x
                endpoint_url = https://minio.example:9000
                ca_bundle = /etc/ca.pem
                """)
        let expected: [([String: String], S3Credentials?)] = [
            ([:], S3Credentials(key: "first", secret: "s3cr3t/+=")),
            (
                ["AWS_PROFILE": "other"],
                S3Credentials(key: "second", secret: "more", sessionToken: "token==")
            ),
            (["AWS_DEFAULT_PROFILE": "third"], S3Credentials(key: "third", secret: "x")),
            (
                ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_PROFILE": "other"],
                S3Credentials(key: "a", secret: "b")
            ),
            // Empty variables count as unset.
            (
                ["AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_PROFILE": "third"],
                S3Credentials(key: "third", secret: "x")
            ),
        ]
        for (environment, credentials) in expected {
            let configuration = home.configuration(environment)
            #expect(try configuration.credentials() == credentials, "\(environment)")
            #expect(!"\(credentials as Any)".contains("s3cr3t"))
        }
        let third = home.configuration(["AWS_PROFILE": "third"])
        #expect(third.endpoint == "https://minio.example:9000" && third.region == nil)
        #expect(third.authorities == "/etc/ca.pem")
        #expect(home.configuration().region == "eu-central-1")
    }

    @Test("Missing, incomplete and unreadable keys are named, without any value")
    func failures() throws {
        let home = try Home(credentials: Self.credentials)
        let cases: [([String: String], String)] = [
            (["AWS_PROFILE": "none"], "the profile named by AWS_PROFILE is missing"),
            (["AWS_PROFILE": "empty"], "the profile has no pair of keys"),
            (["AWS_SHARED_CREDENTIALS_FILE": "/nonexistent"], "there are no credentials"),
            (["AWS_SHARED_CREDENTIALS_FILE": "/dev/null"], "there are no credentials"),
            (
                ["AWS_SHARED_CREDENTIALS_FILE": home.folder.path],
                "a file of profiles cannot be read: Is a directory"
            ),
            (
                ["AWS_SHARED_CREDENTIALS_FILE": "/dev/zero"],
                "a file of profiles is longer than 1 MiB"
            ),
            (
                ["AWS_ACCESS_KEY_ID": "s3cr3t"],
                "only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set"
            ),
            (
                ["AWS_ACCESS_KEY_ID": "s3cr3t x", "AWS_SECRET_ACCESS_KEY": "b"],
                "a key has characters that cannot be sent"
            ),
        ]
        for (environment, reason) in cases {
            let error = #expect(throws: StoreError.self, "\(environment)") {
                try home.configuration(environment).credentials()
            }
            #expect(error?.code == .credentials && error?.reason == reason, "\(environment)")
            #expect(error?.description.contains("s3cr3t") == false)
        }
    }

    @Test(
        "Malformed files have no keys",
        arguments: [
            "aws_access_key_id = a\naws_secret_access_key = b", "[default", "[]\n=\n= =",
            "[default]\naws_access_key_id = a", "\u{FFFD}\0[default]\0aws_access_key_id",
            "[default]\n aws_access_key_id = a\n aws_secret_access_key = b",
        ])
    func malformed(text: String) throws {
        let error = #expect(throws: StoreError.self) {
            try Home(credentials: text).configuration().credentials()
        }
        #expect(error?.code == .credentials)
    }

    @Test("A changed file is read again within a second, and one that is gone changes nothing")
    func rotation() throws {
        let home = try Home(credentials: Self.keys("old", token: "t1"))
        let configuration = home.configuration()
        #expect(try configuration.credentials().key == "old")
        try home.write(Self.keys("new", token: "t2"))
        let deadline = ContinuousClock.now + .seconds(10)
        while try configuration.credentials().key == "old", .now < deadline { usleep(50_000) }
        #expect(
            try configuration.credentials()
                == S3Credentials(key: "new", secret: "secret", sessionToken: "t2"))
        try FileManager.default.removeItem(at: home.folder.appending(path: ".aws"))
        usleep(1_100_000)
        #expect(try configuration.credentials().key == "new")
    }

    @Test("Refused credentials are replaced at once if the file has others")
    func refusal() throws {
        let home = try Home(credentials: Self.keys("old"))
        let configuration = home.configuration()
        let old = try configuration.credentials()
        #expect(configuration.replacement(for: old) == nil)
        try home.write(Self.keys("new"))
        #expect(configuration.replacement(for: old)?.key == "new")
        #expect(try configuration.credentials().key == "new")
        // Another request may have been refused before the first one read the file.
        #expect(configuration.replacement(for: old)?.key == "new")
        try home.write("[default]")
        #expect(configuration.replacement(for: try configuration.credentials()) == nil)
        let fixed = home.configuration([
            "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
        ])
        #expect(configuration.replacement(for: old)?.key == "new")
        #expect(fixed.replacement(for: try fixed.credentials()) == nil)
    }
}
