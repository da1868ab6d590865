import AttachmentContainer
import AttachmentPublishing
import AttachmentTransfer
import Foundation
import Logging
import TransferProtocol
import WorkerProtocol

/// An S3-compatible store, to which a process of its own speaks.
///
/// It uses four requests: `HEAD`, `GET`, `PUT` and `DELETE` of single objects. None is conditional, because
/// not all stores have conditional requests and names that are digests need none.
struct S3Store: ObjectStoring {
    /// Ceiling on the document of an error, in bytes; real ones have some hundred.
    private static let maximumError = 64 << 10
    /// Ceiling on a body that is received in memory, in bytes.
    private static let smallBody = 1 << 20
    /// RFC 8246: the bytes of an object never change.
    private static let cacheControl = "public, max-age=31536000, immutable"

    /// Codes of errors that other credentials of the same role cure.
    private static let endCodes: Set = [
        "ExpiredToken", "InvalidAccessKeyId", "InvalidToken", "TokenRefreshRequired",
    ]

    private let destination: S3Destination
    private let configuration: AWSConfiguration
    /// Nil if environment or files have the credentials.
    private let role: RoleCredentials?
    private let client: TransferClient
    /// Folder for unnamed files.
    private let folder: String
    /// Ceiling on a body that is read.
    private let maximumBytes: Int
    /// Seconds by which the store's clock was ahead in its last answer.
    private let clock = Lock<Double?>(nil)

    init(
        _ destination: S3Destination, _ configuration: AWSConfiguration, authorities: String?,
        folder: String, maximumUploads: Int, maximumBytes: Int, sandbox: SandboxMode,
        executable: URL?, logger: Logger
    ) {
        self.destination = destination
        self.configuration = configuration
        role = configuration.role.map { source in
            let exchange = RoleExchange(
                source: source, authorities: configuration.authorities, folder: folder,
                sandbox: sandbox, executable: executable, logger: logger)
            return RoleCredentials { await exchange.run() }
        }
        self.folder = folder
        self.maximumBytes = max(maximumBytes, Self.maximumError)
        var limits = ResourceLimits()
        limits.fileBytes = self.maximumBytes
        // Input, output, two files and a socket for each transfer, and idle connections.
        limits.openFiles = 64 + 8 * maximumUploads
        limits.dataBytes = 128 << 20
        client = TransferClient(
            TransferConfiguration(
                addresses: nil, ports: [destination.endpoint.port], authorities: authorities,
                sandbox: sandbox, limits: limits),
            executable: executable, logger: logger)
    }

    func holds(_ object: StoredObject, within limit: Duration) async throws(StoreError) -> Bool {
        let (answer, _) = try await perform(.head, object.file, within: limit)
        switch answer.status {
        case 200: return answer.headers["content-length"].flatMap { Int($0) } == object.bytes
        // Without the right to list a bucket, missing objects are forbidden ones; the upload that
        // follows tells more than this answer, which has no document.
        case 400..<500 where answer.status != 429: return false
        default: throw error(answer)
        }
    }

    func put(
        _ object: StoredObject, _ body: OwnedDescriptor, within limit: Duration
    ) async throws(StoreError) {
        let (answer, _) = try await perform(.put, object.file, (object, body), within: limit)
        guard 200..<300 ~= answer.status else { throw error(answer) }
    }

    func get(
        _ file: String, atMost bytes: Int, within limit: Duration
    ) async throws(StoreError) -> OwnedDescriptor? {
        let (answer, body) = try await perform(.get, file, atMost: bytes, within: limit)
        switch answer.status {
        case 200: return body
        case 404 where answer.code != "NoSuchBucket": return nil
        default: throw error(answer)
        }
    }

    func remove(_ file: String, within limit: Duration) async throws(StoreError) {
        let (answer, _) = try await perform(.delete, file, within: limit)
        guard !(200..<300 ~= answer.status) else { return }
        let error = error(answer)
        // Some stores answer so for a missing object; for AWS that is a success.
        if answer.status == 404, error.code != .noBucket { return }
        throw error
    }

    func close() async { await client.close() }

    var clockDifference: Duration? { clock.withLock { $0 }.map { .seconds($0) } }

    private typealias Upload = (object: StoredObject, body: OwnedDescriptor)

    /// Makes a request, and again with other credentials if the server refuses these and there are
    /// others by now.
    private func perform(
        _ method: TransferRequest.Method, _ file: String, _ upload: Upload? = nil,
        atMost bytes: Int = 0, within limit: Duration
    ) async throws(StoreError) -> (S3Answer, OwnedDescriptor) {
        let begun = ContinuousClock.now
        let credentials = try await credentials()
        let answer = try await exchange(
            method, file, upload, credentials, atMost: bytes,
            within: limit - begun.duration(to: .now))
        guard let others = await replacement(for: credentials, after: answer.0) else {
            return answer
        }
        let rest = limit - begun.duration(to: .now)
        guard rest > .zero else { return answer }
        return try await exchange(
            method, file, upload, others, atMost: bytes, within: rest)
    }

    private func credentials() async throws(StoreError) -> S3Credentials {
        guard let role else { return try configuration.credentials(for: destination) }
        do throws(StoreError) {
            return try await role.current()
        } catch {
            throw StoreError(
                error.code, destination: destination.description, reason: error.reason)
        }
    }

    /// Other credentials, if the server refused these.
    private func replacement(
        for refused: S3Credentials, after answer: S3Answer
    ) async -> S3Credentials? {
        guard [400, 401, 403].contains(answer.status) else { return nil }
        guard let role else { return configuration.replacement(for: refused) }
        // A service gives out new ones each time, which would be refused for want of permission too.
        // AWS answers 400 to an expired token (Amazon S3 API reference, error responses), and to HEAD
        // without a document.
        let hasEnded = answer.code.map { Self.endCodes.contains($0) } ?? (answer.status == 400)
        return hasEnded ? await role.replacement(for: refused) : nil
    }

    private func exchange(
        _ method: TransferRequest.Method, _ file: String, _ upload: Upload?,
        _ credentials: S3Credentials, atMost bytes: Int, within limit: Duration
    ) async throws(StoreError) -> (S3Answer, OwnedDescriptor) {
        let ceiling = min(maximumBytes, max(bytes, Self.maximumError))
        var request = TransferRequest(url: destination.url(of: file), maximumBytes: ceiling)
        request.method = method
        request.storedStatuses = nil
        request.reportedHeaders = S3Answer.headers
        request.limits.milliseconds = max(1, Int(limit / .milliseconds(1)))
        request.limits.connectMilliseconds = min(5000, request.limits.milliseconds)
        request.signature = TransferRequest.Signature(
            scope: "aws:amz:\(destination.region):s3", key: credentials.key,
            secret: credentials.secret)
        let digest = upload?.object.digest ?? ContentDigest(of: "")
        request.headers = [.init("x-amz-content-sha256", digest.rawValue)]
        if let token = credentials.sessionToken {
            request.headers.append(.init("x-amz-security-token", token))
        }
        if let upload {
            request.bodyLength = upload.object.bytes
            request.headers += [
                .init("Content-Type", upload.object.contentType),
                .init("Cache-Control", upload.object.isImmutable ? Self.cacheControl : "no-cache"),
            ]
        }
        let output = try await openOutput(for: ceiling)
        do throws(TransferFailure) {
            let response = try await client.perform(request, to: output, body: upload?.body)
            let answer = S3Answer(response, document: output, ceiling: Self.maximumError)
            if let seconds = answer.clockDifference(at: Date()) {
                clock.withLock { $0 = seconds }
            }
            return (answer, output)
        } catch {
            throw StoreError(error, destination)
        }
    }

    private func openOutput(
        for bytes: Int
    ) async throws(StoreError) -> OwnedDescriptor {
        try await BlockingWork.run { [folder, destination] () throws(StoreError) in
            do throws(ContainerError) {
                // Only pictures are long; results of jobs and errors are short documents.
                return bytes > Self.smallBody
                    ? try OwnedDescriptor(unnamedFileIn: folder)
                    : try OwnedDescriptor(smallUnnamedFileIn: folder)
            } catch {
                throw StoreError(
                    .storage, destination: destination.description,
                    reason: "a temporary file cannot be created")
            }
        }
    }

    private func error(_ answer: S3Answer) -> StoreError { StoreError(answer, destination) }
}
