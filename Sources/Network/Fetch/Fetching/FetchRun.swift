import AttachmentContainer
import AttachmentPublishing
import AttachmentTransfer
import Foundation
import TransferProtocol

/// One fetch: exchanges with servers until one sends the file.
struct FetchRun: Sendable {
    enum Outcome: Sendable {
        /// A new file, and its headers.
        case fetched(FetchedBody, Facts)
        /// The cached file is still valid.
        case notModified(Facts)
    }

    struct Facts: Sendable {
        let location: RemoteLocation
        let headers: [String: String]
        let freshness: Freshness
    }

    private static let reportedHeaders = [
        "age", "cache-control", "content-type", "date", "etag", "expires", "last-modified",
        "location", "vary",
    ]
    /// RFC 9110, section 15.4; the method is GET in any case.
    private static let redirections = [301, 302, 303, 307, 308]

    let settings: FetchSettings
    let servers: FetchServers
    /// Folder for unnamed files.
    let folder: String
    let cached: CachedResponse?

    /// Follows redirections, and judges each hop like the first.
    func run(_ first: RemoteLocation) async throws(FetchError) -> Outcome {
        let deadline = ContinuousClock.now + settings.timeout
        let output = try makeFile(first)
        var location = first
        // A server that redirects must not choose what is requested with credentials.
        var credentials = settings.headers.headers(for: first)
        var lifetime = Double.infinity
        for _ in 0...settings.maximumRedirects {
            let begun = Date()
            let response = try await exchange(location, credentials, output, until: deadline)
            let received = Date()
            // RFC 9111, section 3.2.
            let former = response.status == 304 ? cached?.cacheHeaders ?? [:] : [:]
            // Validators are sent back, and must not become other headers then.
            let valid = response.headers.filter { FetchHeaders.isFieldValue($0.value) }
            let headers = former.merging(valid) { $1 }
            var freshness = Freshness(
                headers, received: received,
                delay: received.timeIntervalSince(begun),
                unstated: settings.unstatedFreshness / .seconds(1))
            if Self.redirections.contains(response.status) {
                lifetime = min(lifetime, Self.lifetime(of: response, freshness))
                let authority = location.authority
                location = try next(after: response, at: location)
                if location.authority != authority { credentials = [:] }
                continue
            }
            freshness.lifetime = min(freshness.lifetime, lifetime)
            let facts = Facts(location: location, headers: headers, freshness: freshness)
            switch response.status {
            case 200:
                let body = try await seal(output, response.bytes, location)
                return .fetched(body, facts)
            case 304 where isCached(location): return .notModified(facts)
            default:
                throw FetchError(
                    .status, host: location.host,
                    reason: "the server answered with status \(response.status)")
            }
        }
        throw FetchError(
            .tooManyRedirects, host: first.host,
            reason: "there are more than \(settings.maximumRedirects) redirections")
    }

    private func exchange(
        _ location: RemoteLocation, _ credentials: [String: String], _ output: OwnedDescriptor,
        until deadline: ContinuousClock.Instant
    ) async throws(FetchError) -> TransferResponse {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else {
            throw FetchError(
                .late, host: location.host, reason: "the redirections took too long")
        }
        var request = TransferRequest(
            url: location.text, maximumBytes: settings.maximumBytes.bytes)
        request.reportedHeaders = Self.reportedHeaders
        request.limits.milliseconds = Int(left / .milliseconds(1))
        request.limits.connectMilliseconds = Int(settings.connectTimeout / .milliseconds(1))
        request.limits.minimumSpeed = settings.minimumSpeed.bytes
        request.limits.stallSeconds = Int(settings.stallTime / .seconds(1))
        request.trustsHost = settings.allowedHosts.contains(location.host)
        request.headers = headers(for: location, credentials)
        do throws(TransferFailure) {
            return try await servers.perform(
                request, location, hasCredentials: !credentials.isEmpty, to: output)
        } catch {
            throw FetchError(error, host: location.host)
        }
    }

    private func headers(
        for location: RemoteLocation, _ credentials: [String: String]
    ) -> [TransferRequest.Header] {
        // A compressed body would need a ceiling of its own, and pictures do not shrink.
        var headers = [TransferRequest.Header("Accept-Encoding", "identity")]
        headers.append(TransferRequest.Header("Accept", "image/*,audio/*,video/*;q=0.9,*/*;q=0.5"))
        headers.append(TransferRequest.Header("User-Agent", "thimble"))
        let conditions = isCached(location) ? cached?.conditions ?? [:] : [:]
        for (name, value) in conditions { headers.append(TransferRequest.Header(name, value)) }
        let own = Set(credentials.keys.map { $0.lowercased() })
        return headers.filter { !own.contains($0.name.lowercased()) }
            + credentials.map { TransferRequest.Header($0.key, $0.value) }
    }

    /// True if the cached file came from this location: its validators mean nothing elsewhere.
    private func isCached(_ location: RemoteLocation) -> Bool {
        cached?.source == ContentDigest(of: location.text)
    }

    private func next(
        after response: TransferResponse, at location: RemoteLocation
    ) throws(FetchError) -> RemoteLocation {
        guard let reference = response.headers["location"] else {
            throw FetchError(
                .malformed, host: location.host,
                reason: "the server redirects without a valid location")
        }
        let next = try location.resolving(reference)
        if location.scheme == .https, next.scheme == .http {
            throw FetchError(
                .refusedScheme, host: location.host, reason: "https is redirected to http")
        }
        try servers.check(next)
        return next
    }

    /// Time for which a redirection is repeated without asking: as stated, else not for a temporary
    /// one (RFC 9110, section 15.4).
    private static func lifetime(of response: TransferResponse, _ freshness: Freshness) -> Double {
        let isStated =
            CacheControl(response.headers["cache-control"]).maximumAge != nil
            || response.headers["expires"] != nil
        return isStated || response.status == 301 || response.status == 308 ? freshness.lifetime : 0
    }

    private func makeFile(_ location: RemoteLocation) throws(FetchError) -> OwnedDescriptor {
        do throws(ContainerError) {
            return try OwnedDescriptor(unnamedFileIn: folder)
        } catch {
            throw FetchError(.storage, host: location.host, reason: error.reason)
        }
    }

    private func seal(
        _ output: OwnedDescriptor, _ bytes: Int, _ location: RemoteLocation
    ) async throws(FetchError) -> FetchedBody {
        guard bytes > 0 else {
            throw FetchError(.empty, host: location.host, reason: "the server sent no bytes")
        }
        let target = try makeFile(location)
        let ceiling = settings.maximumBytes.bytes
        let body = await BlockingWork.run { () -> FetchedBody? in
            guard bytes <= ceiling else { return nil }
            return FetchedBody(sealing: output, bytes: bytes, in: target)
        }
        guard let body else {
            throw FetchError(.storage, host: location.host, reason: "the file cannot be stored")
        }
        return body
    }
}
