import Foundation

@testable import AttachmentStore

extension FuzzTarget {
    /// Readers of what object stores answer, and of the files that describe them.
    static let stores = [
        FuzzTarget("s3-answer", seeds: { answers.map { Array($0.utf8) } }, read: readAnswer),
        FuzzTarget("aws-profiles", seeds: { profiles.map { Array($0.utf8) } }) { input in
            let file = AWSProfileFile(text: String(decoding: input.bytes, as: UTF8.self))
            for name in ["default", "media"] {
                guard let values = file[name] else { continue }
                precondition(values.keys.allSatisfy { $0 == $0.lowercased() })
                let credentials = S3Credentials(
                    key: values["aws_access_key_id"] ?? "",
                    secret: values["aws_secret_access_key"] ?? "",
                    sessionToken: values["aws_session_token"])
                // A description may have a few letters in common with the secret by chance.
                if let credentials, credentials.secret.utf8.count >= 16 {
                    precondition(!"\(credentials)".contains(credentials.secret))
                }
                if let endpoint = values["endpoint_url"].flatMap({ try? S3Endpoint($0) }) {
                    precondition((try? S3Endpoint(endpoint.text)) == endpoint)
                }
            }
        },
        FuzzTarget("store-destination", seeds: destinations, read: readDestination),
    ]

    /// The date on the first line, and then the document of an error.
    private static func readAnswer(_ input: FuzzInput) {
        let lines = input.bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false)
        let document = String(decoding: lines.count == 2 ? lines[1] : [], as: UTF8.self)
        let answer = S3Answer(
            status: 100 + Int(input.bytes.last ?? 0) * 2,
            headers: ["date": String(decoding: lines[0], as: UTF8.self)],
            code: S3Answer.code(in: Array(document.utf8)[...]))
        precondition(answer.code.map { 1...64 ~= $0.utf8.count } ?? true)
        guard
            case .s3(let destination)? = try? StoreDestination(
                "s3://bucket/a", S3Settings(), AWSConfiguration(["AWS_REGION": "eu-west-1"]))
        else { fatalError("the destination is invalid") }
        let error = StoreError(answer, destination, now: Date(timeIntervalSince1970: 1e9))
        precondition(error.reason.utf8.count < 300)
    }

    private static let answers = [
        """
        Tue, 24 Nov 2026 10:00:00 GMT
        <?xml version="1.0"?><Error><Code>NoSuchBucket</Code><Message>m</Message></Error>
        """, "Sun, 06 Nov 1994 08:49:37 GMT\n<Error><Code></Code></Error>",
    ]

    private static let profiles = [
        """
        # comment
        [default]
        aws_access_key_id = KEY ; comment
        aws_secret_access_key=SECRET
        [profile media]
        region = eu-west-1
          nested = 1
        endpoint_url = https://s3.example:9000
        aws_session_token = TOKEN
        """
    ]

    /// A destination as the command line has it, or as the container's records do.
    private static func readDestination(_ input: FuzzInput) {
        let text = String(decoding: input.bytes, as: UTF8.self)
        let configuration = AWSConfiguration(["AWS_REGION": "eu-west-1", "HOME": "/nonexistent"])
        let destinations = [
            try? StoreDestination(text, S3Settings(), configuration),
            try? JSONDecoder().decode(StoreDestination.self, from: Data(input.bytes)),
        ]
        for destination in destinations.compactMap(\.self) {
            let record = try? JSONEncoder().encode(destination)
            let again = record.flatMap {
                try? JSONDecoder().decode(StoreDestination.self, from: $0)
            }
            precondition(again == destination)
            _ = destination.url(of: "ab/cd.jpg")
        }
    }

    private static func destinations() -> [[UInt8]] {
        let texts = ["s3://bucket/a/b", "s3://bucket", "file:///a%20b/", "/a/../b", "a//b"]
        let configuration = AWSConfiguration(["AWS_REGION": "eu-west-1"])
        return texts.map { Array($0.utf8) }
            + texts.compactMap { try? StoreDestination($0, S3Settings(), configuration) }
            .compactMap { (try? JSONEncoder().encode($0)).map { [UInt8]($0) } }
    }
}
