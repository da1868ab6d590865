import AttachmentContainer
import AttachmentPublishing
import Foundation

/// Fetched files of a container, and the most recent ones, open.
final class FetchCache: Sendable {
    /// Number of files that are kept open, so that a file in use is neither opened nor read again.
    private static let openFiles = 64
    /// Time between two sweeps of the folder.
    private static let sweepInterval = Duration.seconds(60)

    private struct Recent {
        let response: CachedResponse
        let file: FetchedFile
        var used: UInt64
    }

    private struct State {
        var recent: [ContentDigest: Recent] = [:]
        var uses: UInt64 = 0
        var sweep = ContinuousClock.now
        var bytesSinceSweep = 0
    }

    private let container: SharedContainer?
    private let settings: FetchSettings
    private let state = Lock(State())
    private let identities = IdentityMemory()

    /// Without a container only open files are remembered.
    init(in container: SharedContainer?, _ settings: FetchSettings) {
        self.container = container
        self.settings = settings
    }

    /// The open file for a key, if it is fresh.
    func recent(_ key: ContentDigest) -> FetchedFile? {
        state.withLock { state in
            guard let recent = state.recent[key], recent.response.freshness.isFresh(at: Date())
            else { return nil }
            state.uses += 1
            state.recent[key]?.used = state.uses
            return recent.file
        }
    }

    /// The identity of the file for a key, if it is fresh.
    func recentIdentity(_ key: ContentDigest) -> FetchedFile.Identity? {
        identities.identity(key, at: Date())
    }

    /// The entry for a key, fresh or stale; nil without one.
    func entry(_ key: ContentDigest) async -> (response: CachedResponse, file: FetchedFile)? {
        if let recent = state.withLock({ $0.recent[key] }) { return (recent.response, recent.file) }
        guard let container else { return nil }
        let found = await BlockingWork.run { () -> (CachedResponse, FetchedFile)? in
            guard let description = container.fetchedDescription(key),
                let response = CachedResponse.decode(description),
                let body = container.fetchedBody(response.body)
            else { return nil }
            container.useFetched(key, body: response.body)
            return (response, FetchedFile(body, response, key: key))
        }
        if let (response, file) = found { remember(key, response, file) }
        return found
    }

    /// Stores a file; a failure costs only the next fetch time.
    func store(_ response: CachedResponse, _ file: FetchedFile, for key: ContentDigest) async {
        remember(key, response, file)
        guard let container, let description = response.encoded() else { return }
        let settings = settings
        let isSweepDue = state.withLock { state in
            state.bytesSinceSweep += file.bytes.bytes
            // The folder exceeds its limit by an eighth at most.
            guard
                state.sweep <= .now
                    || state.bytesSinceSweep > settings.maximumCacheBytes.bytes / 8
            else { return false }
            state.sweep = .now + Self.sweepInterval
            state.bytesSinceSweep = 0
            return true
        }
        await BlockingWork.run {
            do throws(ContainerError) {
                try container.storeFetched(file.owner, bytes: file.bytes, as: file.digest)
                try container.storeFetched(description: description, for: key)
            } catch {
                // For example a full volume.
                container.removeFetched(key)
            }
            guard isSweepDue else { return }
            container.sweepFetched(
                maximumBytes: settings.maximumCacheBytes, maximumAge: settings.maximumCacheAge)
        }
    }

    /// Stores the new freshness of a file that the server confirmed.
    func renew(_ response: CachedResponse, _ file: FetchedFile, for key: ContentDigest) async {
        remember(key, response, file)
        guard let container, let description = response.encoded() else { return }
        await BlockingWork.run {
            try? container.storeFetched(description: description, for: key)
            container.useFetched(key, body: response.body)
        }
    }

    func remove(_ key: ContentDigest) async {
        state.withLock { $0.recent[key] = nil }
        identities.remove(key)
        if let container { await BlockingWork.run { container.removeFetched(key) } }
    }

    private func remember(_ key: ContentDigest, _ response: CachedResponse, _ file: FetchedFile) {
        identities.add(file.identity, response.freshness, for: key)
        state.withLock { state in
            state.uses += 1
            state.recent[key] = Recent(response: response, file: file, used: state.uses)
            while state.recent.count > Self.openFiles || isOverBudget(state) {
                guard state.recent.count > 1,
                    let oldest = state.recent.min(by: { $0.value.used < $1.value.used })
                else { return }
                state.recent[oldest.key] = nil
            }
        }
    }

    /// Unnamed files take space for as long as they are open.
    private func isOverBudget(_ state: State) -> Bool {
        state.recent.values.reduce(0) { $0 + $1.file.bytes.bytes }
            > settings.maximumCacheBytes.bytes
    }
}
