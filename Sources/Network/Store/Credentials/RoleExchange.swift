import AttachmentContainer
import AttachmentPublishing
import AttachmentTransfer
import Foundation
import Logging
import TransferProtocol
import WorkerProtocol

/// Asks a service for credentials of a role.
///
/// A transfer process of its own does, for the time of the exchange. The guard of fetched URLs has no
/// part in it, and stays as strict: no URL of a stranger reaches these services.
struct RoleExchange: Sendable {
    /// Ceiling on an answer, in bytes; real ones have 2 kB.
    private static let ceiling = 64 << 10
    /// Time for all requests of an exchange; services of the same machine answer at once.
    private static let limit = Duration.seconds(5)
    /// Time for a connection, in milliseconds.
    private static let connectLimit = 2000

    private struct Document: Decodable {
        let key: String
        let secret: String
        let token: String
        let end: String

        enum CodingKeys: String, CodingKey {
            case key = "AccessKeyId"
            case secret = "SecretAccessKey"
            case token = "Token"
            case end = "Expiration"
        }
    }

    /// Requests of one exchange.
    private struct Requests {
        let client: TransferClient
        let deadline: ContinuousClock.Instant
    }

    let source: RoleSource
    let authorities: String?
    /// Folder for unnamed files.
    let folder: String
    let sandbox: SandboxMode
    let executable: URL?
    let logger: Logger

    func run() async -> Result<RoleCredentials.Lease, StoreError> {
        do throws(StoreError) {
            let requests = Requests(client: try makeClient(), deadline: .now + Self.limit)
            let result = await lease(by: requests)
            await requests.client.close()
            let lease = try result.get()
            logger.debug("credentials renewed", metadata: ["of": "\(source.name)"])
            return .success(lease)
        } catch {
            logger.warning(
                "credentials not renewed", metadata: ["of": "\(source.name)", "reason": "\(error)"])
            return .failure(error)
        }
    }

    private func makeClient() throws(StoreError) -> TransferClient {
        guard let parts = URLComponents(string: source.url), let host = parts.host, !host.isEmpty,
            let port = UInt16(exactly: parts.port ?? (parts.scheme == "https" ? 443 : 80)),
            ["https", "http"].contains(parts.scheme), parts.user == nil
        else { throw fault("has no valid URL") }
        var limits = ResourceLimits()
        limits.fileBytes = Self.ceiling
        limits.openFiles = 64
        limits.dataBytes = 128 << 20
        return TransferClient(
            TransferConfiguration(
                addresses: nil, ports: [port], authorities: authorities, sandbox: sandbox,
                limits: limits),
            executable: executable, logger: logger)
    }

    private func lease(by requests: Requests) async -> Result<RoleCredentials.Lease, StoreError> {
        do throws(StoreError) {
            return .success(try await requestLease(requests))
        } catch {
            return .failure(error)
        }
    }

    private func requestLease(
        _ requests: Requests
    ) async throws(StoreError) -> RoleCredentials.Lease {
        switch source {
        case .webIdentity(let endpoint, let role, let session, let file):
            let token = try Self.secret(inFile: file)
            var url = URLComponents(string: endpoint)
            url?.path = "/"
            url?.percentEncodedQuery = [
                ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"),
                ("RoleArn", role), ("RoleSessionName", session), ("WebIdentityToken", token),
            ].map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
            let text = try await answer(requests, .get, url?.string ?? "")
            return try lease(
                Self.element("AccessKeyId", in: text), Self.element("SecretAccessKey", in: text),
                Self.element("SessionToken", in: text), Self.element("Expiration", in: text))
        case .container(let url, let authorization, let file):
            let secret = try file.map { file throws(StoreError) in try Self.secret(inFile: file) }
            let headers = (secret ?? authorization).map { ["Authorization": $0] } ?? [:]
            return try document(try await answer(requests, .get, url, headers))
        case .instance(let endpoint):
            // Instance metadata service version 2: a session first, which no redirected or forged
            // request can open.
            let session = try await answer(
                requests, .put, "\(endpoint)/latest/api/token",
                ["X-aws-ec2-metadata-token-ttl-seconds": "60"])
            let headers = ["X-aws-ec2-metadata-token": session]
            let roles = "\(endpoint)/latest/meta-data/iam/security-credentials/"
            let name = try await answer(requests, .get, roles, headers).prefix { !$0.isNewline }
            guard !name.isEmpty else { throw fault("has no role") }
            return try document(
                try await answer(requests, .get, roles + Self.encoded(String(name)), headers))
        }
    }

    private func document(_ text: String) throws(StoreError) -> RoleCredentials.Lease {
        let found = try? JSONDecoder().decode(Document.self, from: Data(text.utf8))
        return try lease(found?.key, found?.secret, found?.token, found?.end)
    }

    private func lease(
        _ key: String?, _ secret: String?, _ token: String?, _ end: String?
    ) throws(StoreError) -> RoleCredentials.Lease {
        guard let key, let secret, let token,
            let credentials = S3Credentials(key: key, secret: secret, sessionToken: token),
            let end = end.flatMap({ Self.date($0) })
        else { throw fault("sent no credentials with an end") }
        guard end > Date() else { throw fault("sent credentials that have ended") }
        return RoleCredentials.Lease(credentials: credentials, end: end)
    }

    /// The text of a successful answer.
    private func answer(
        _ requests: Requests, _ method: TransferRequest.Method, _ url: String,
        _ headers: [String: String] = [:]
    ) async throws(StoreError) -> String {
        guard headers.values.allSatisfy({ $0.utf8.allSatisfy { 0x20...0x7E ~= $0 } }) else {
            throw fault("has no valid authorisation")
        }
        var request = TransferRequest(url: url, maximumBytes: Self.ceiling)
        request.method = method
        request.headers = headers.map { TransferRequest.Header($0.key, $0.value) }
        let left = ContinuousClock.now.duration(to: requests.deadline) / .milliseconds(1)
        request.limits.milliseconds = max(1, Int(left))
        request.limits.connectMilliseconds = Self.connectLimit
        let (status, text) = try await perform(request, requests.client)
        guard status == 200 else {
            // A service that is at its limits may soon answer.
            let isTransient = status == 429 || status >= 500
            throw fault("answered \(status)", isTransient ? .slowDown : .credentials)
        }
        return text
    }

    private func perform(
        _ request: TransferRequest, _ client: TransferClient
    ) async throws(StoreError) -> (status: Int, text: String) {
        let output: OwnedDescriptor
        do throws(ContainerError) {
            output = try OwnedDescriptor(smallUnnamedFileIn: folder)
        } catch {
            throw StoreError(.storage, reason: "a temporary file cannot be created")
        }
        do throws(TransferFailure) {
            let response = try await client.perform(request, to: output)
            var bytes = [UInt8](repeating: 0, count: min(max(0, response.bytes), Self.ceiling))
            let count = bytes.withUnsafeMutableBytes {
                pread(output.descriptor, $0.baseAddress, $0.count, 0)
            }
            return (
                response.status, String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            )
        } catch {
            let code: StoreError.Code =
                switch error.code {
                case .late: .late
                case .cancelled: .cancelled
                case .tls: .tls
                case .lost: .lost
                default: .unreachable
                }
            throw fault("does not answer: \(error.reason)", code)
        }
    }

    private func fault(_ text: String, _ code: StoreError.Code = .credentials) -> StoreError {
        StoreError(code, reason: "\(source.name) \(text)")
    }

    /// The first line of a file, which its writer replaces from time to time.
    private static func secret(inFile path: String) throws(StoreError) -> String {
        let text = try? String(contentsOfFile: path, encoding: .utf8)
        let line = text?.prefix { !$0.isNewline } ?? ""
        // Tokens of Kubernetes have 1 to 2 kB; STS takes 20,000 characters.
        guard 1...20_000 ~= line.utf8.count, line.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw StoreError(.credentials, reason: "the file of the role's token has no token")
        }
        return String(line)
    }

    /// Percent-encodes all but unreserved characters (RFC 3986, section 2.3).
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.reduce(into: "") { result, byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
    }

    /// The text of the first element of a name; credentials and dates need no parser of XML.
    private static func element(_ name: String, in document: String) -> String? {
        guard let start = document.firstRange(of: "<\(name)>") else { return nil }
        let text = document[start.upperBound...].prefix { $0 != "<" }
        return text.isEmpty ? nil : String(text)
    }

    /// A date such as `2026-11-27T10:00:00Z`, also with fractions of a second.
    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: .iso8601))
            ?? (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
}
