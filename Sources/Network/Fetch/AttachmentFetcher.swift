public import AttachmentContainer
import AttachmentTransfer
public import Foundation
public import Logging
public import WorkerProtocol

/// Fetches attachments from `https` URLs that strangers may have chosen.
///
/// A sandboxed process exchanges the data: this process parses neither HTTP nor TLS. The address of
/// every connection is judged when its socket is opened, on every redirection. Bodies go straight
/// into unnamed files. One transfer serves all callers that name the same URL at once.
///
/// With a container, files are cached there as their servers allow (RFC 9111), across restarts and
/// for all processes. Ignores `SIGPIPE` for the whole process.
public final class AttachmentFetcher: Sendable {
    /// The settings.
    public let settings: FetchSettings
    private let servers: FetchServers
    private let cache: FetchCache
    private let keys: CacheKeys
    private let folder: String
    private let fetches = SharedWork<ContentDigest, Result<FetchedFile, FetchError>>()
    private let failures: FailureMemory
    private let places: WaitingLine<Places>
    private let logger: Logger

    /// Creates a fetcher, whose processes start on demand.
    ///
    /// - Parameters:
    ///   - settings: Limits and allowed servers. The default is `FetchSettings()`.
    ///   - container: The container with the cache. The default is nil: files are remembered only
    ///     while the fetcher exists, and lie unnamed in `/var/tmp`.
    ///   - sandbox: Enforcement of the processes' sandbox. The default is `automatic`.
    ///   - executable: `thimble-transfer`. The default is the installed one.
    ///   - logger: Receives outcomes at level `debug`, by their keys in the cache. The default
    ///     discards them.
    /// - Throws: `SettingsError` naming a setting outside its range.
    public init(
        settings: FetchSettings = FetchSettings(), container: SharedContainer? = nil,
        sandbox: SandboxMode = .automatic, executable: URL? = nil,
        logger: Logger = Logger(label: "thimble") { _ in SwiftLogNoOpLogHandler() }
    ) throws(SettingsError) {
        try settings.validate()
        self.settings = settings
        self.logger = logger
        servers = FetchServers(settings, sandbox: sandbox, executable: executable, logger: logger)
        cache = FetchCache(in: container, settings)
        keys = CacheKeys(settings, servers.proxies)
        folder = container?.incomingFolder ?? "/var/tmp"
        failures = FailureMemory(lifetime: settings.failureLifetime)
        places = WaitingLine(places: settings.maximumTransfers)
    }

    /// Fetches a file, or finds it in the cache.
    ///
    /// Cancellation and the deadline end the transfer unless other callers wait for it.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - deadline: The time by which the file is needed. The default is nil:
    ///     ``FetchSettings/timeout`` holds in any case.
    /// - Returns: The open file.
    /// - Throws: `FetchError` with the host, the reason and a remedy.
    public func fetch(
        _ url: String, by deadline: ContinuousClock.Instant? = nil
    ) async throws(FetchError) -> FetchedFile {
        let location = try RemoteLocation(url)
        try servers.check(location)
        let key = keys.key(for: location)
        if let file = cache.recent(key) { return file }
        if let error = failures.failure(key) { throw error }
        let result: Result<FetchedFile, FetchError>
        do throws(SharedWorkFailure) {
            result = try await fetches.value(of: key, until: deadline) { [self] _ in
                await obtain(location, key)
            }
        } catch {
            throw FetchError(error, host: location.host)
        }
        return try result.get()
    }

    /// The file of a URL that was fetched recently and is still fresh, without waiting; nil without
    /// one.
    public func recent(_ url: String) -> FetchedFile? {
        guard let location = try? RemoteLocation(url), (try? servers.check(location)) != nil else {
            return nil
        }
        return cache.recent(keys.key(for: location))
    }

    /// The identity of a file that was fetched recently and is still fresh, without waiting; nil if
    /// unknown.
    ///
    /// It suffices to find an earlier result. Thousands are remembered; only the most recent files are
    /// open, and others may have left the cache.
    public func recentIdentity(_ url: String) -> FetchedFile.Identity? {
        guard let location = try? RemoteLocation(url), (try? servers.check(location)) != nil else {
            return nil
        }
        return cache.recentIdentity(keys.key(for: location))
    }

    /// The host of a URL, for messages; nil for an invalid URL.
    public static func host(of url: String) -> String? { (try? RemoteLocation(url))?.host }

    /// Reports of the sandboxes of the running processes.
    public var sandboxes: [SandboxReport] {
        [servers.strangers.sandbox, servers.credentialed.sandbox].compactMap(\.self)
    }

    /// Ends the processes; fetches in progress and later ones fail unless the cache has their files.
    public func close() async { await servers.close() }

    /// Numbers of the running processes, for tests.
    package var processNumbers: [pid_t] {
        [servers.strangers.processNumber, servers.credentialed.processNumber].compactMap(\.self)
    }

    private func obtain(
        _ location: RemoteLocation, _ key: ContentDigest
    ) async -> Result<FetchedFile, FetchError> {
        guard (try? await places.take()) != nil else {
            return .failure(FetchError(.cancelled, host: location.host, reason: "it was cancelled"))
        }
        defer { places.giveBack() }
        let begun = ContinuousClock.now
        let result: Result<FetchedFile, FetchError>
        do throws(FetchError) {
            result = .success(try await file(at: location, key))
        } catch {
            failures.add(error, for: key)
            result = .failure(error)
        }
        log(key, result, after: begun.duration(to: .now))
        return result
    }

    private func file(
        at location: RemoteLocation, _ key: ContentDigest
    ) async throws(FetchError) -> FetchedFile {
        let cached = await cache.entry(key)
        if let cached, cached.response.freshness.isFresh(at: Date()) { return cached.file }
        let run = FetchRun(
            settings: settings, servers: servers, folder: folder, cached: cached?.response)
        switch try await run.run(location) {
        case .fetched(let body, let facts):
            let response = CachedResponse(
                source: facts.location, body: body.digest, bytes: body.bytes,
                headers: facts.headers, freshness: facts.freshness)
            return try await store(body, response, facts, key)
        case .notModified(let facts):
            guard var cached else {
                throw FetchError(
                    .malformed, host: location.host,
                    reason: "the server answered a condition that was not set")
            }
            cached.response.freshness = facts.freshness
            await cache.renew(cached.response, cached.file, for: key)
            return cached.file
        }
    }

    private func store(
        _ body: FetchedBody, _ response: CachedResponse, _ facts: FetchRun.Facts,
        _ key: ContentDigest
    ) async throws(FetchError) -> FetchedFile {
        let file: FetchedFile
        do throws(ContainerError) {
            file = FetchedFile(try body.owner.reopenedForReading(), response, key: key)
        } catch {
            throw FetchError(.storage, host: facts.location.host, reason: error.reason)
        }
        if CacheControl(facts.headers["cache-control"]).forbidsStoring {
            await cache.remove(key)
        } else {
            await cache.store(response, file, for: key)
        }
        return file
    }

    private func log(
        _ key: ContentDigest, _ result: Result<FetchedFile, FetchError>, after time: Duration
    ) {
        let outcome =
            switch result {
            case .success(let file): "\(file.bytes)"
            case .failure(let error): error.code.rawValue
            }
        logger.debug(
            "fetched",
            metadata: [
                "key": "\(key)", "outcome": "\(outcome)",
                "milliseconds": "\(Int(time / .milliseconds(1)))",
            ])
    }
}
