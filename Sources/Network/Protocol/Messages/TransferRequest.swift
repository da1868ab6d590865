/// One exchange with a server, without redirections.
package struct TransferRequest: Sendable {
    package enum Method: String, Codable, Sendable {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
        case delete = "DELETE"
    }

    package struct Header: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Signature by AWS Signature Version 4, made by libcurl.
    package struct Signature: Sendable {
        /// `PROVIDER1:PROVIDER2:REGION:SERVICE`, such as `aws:amz:us-east-1:s3`.
        package let scope: String
        package let key: String
        package let secret: String

        package init(scope: String, key: String, secret: String) {
            self.scope = scope
            self.key = key
            self.secret = secret
        }
    }

    /// Number among the transfers of one process; set when it is sent.
    package var number: UInt64 = 0
    package var method = Method.get
    package let url: String
    package var headers: [Header] = []
    /// Length of the request's body, in bytes; nil without one.
    package var bodyLength: Int?
    package var signature: Signature?
    /// Statuses whose bodies are stored; nil for all.
    ///
    /// Other bodies are dropped.
    package var storedStatuses: [Int]? = [200]
    /// Names, in lowercase, of the response's headers to report.
    package var reportedHeaders: [String] = []
    /// Ceiling on the stored body, in bytes.
    package var maximumBytes: Int
    package var limits = TransferLimits()
    /// True if the host's addresses in the local network are allowed.
    package var trustsHost = false
    /// URL of the proxy, whose address is not judged; nil for a direct connection.
    package var proxy: String?
    /// Answers of the resolver, as `HOST:PORT:ADDRESS`, for tests.
    package var resolutions: [String] = []

    package init(url: String, maximumBytes: Int) {
        self.url = url
        self.maximumBytes = maximumBytes
    }
}

package struct TransferLimits: Sendable, Hashable {
    /// Time for the whole transfer, in milliseconds.
    package var milliseconds = 20_000
    /// Time for name resolution, connection and TLS handshake, in milliseconds.
    package var connectMilliseconds = 5000
    /// Least speed, in bytes a second; 0 for none.
    package var minimumSpeed = 1000
    /// Time below the least speed after which the transfer ends, in seconds.
    package var stallSeconds = 10

    package init() {}
}
