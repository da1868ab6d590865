import AttachmentContainer
import Foundation

/// Identities of recent files, which need not be open.
///
/// Two generations bound it: when the young one is full, it becomes the old one, whose entries return
/// with their next use.
final class IdentityMemory: Sendable {
    /// Number of entries of a generation; an entry takes about 500 bytes.
    private static let generation = 4096

    private struct Entry {
        let identity: FetchedFile.Identity
        let freshness: Freshness
    }

    private struct State {
        var young: [ContentDigest: Entry] = [:]
        var old: [ContentDigest: Entry] = [:]

        mutating func add(_ entry: Entry, for key: ContentDigest) {
            if young.count >= IdentityMemory.generation { (old, young) = (young, [:]) }
            young[key] = entry
        }
    }

    private let state = Lock(State())

    /// The identity of a fresh file; nil if it is stale or unknown.
    func identity(_ key: ContentDigest, at now: Date) -> FetchedFile.Identity? {
        state.withLock { state in
            if let entry = state.young[key] {
                return entry.freshness.isFresh(at: now) ? entry.identity : nil
            }
            guard let entry = state.old.removeValue(forKey: key),
                entry.freshness.isFresh(at: now)
            else { return nil }
            state.add(entry, for: key)
            return entry.identity
        }
    }

    func add(_ identity: FetchedFile.Identity, _ freshness: Freshness, for key: ContentDigest) {
        state.withLock {
            $0.old[key] = nil
            $0.add(Entry(identity: identity, freshness: freshness), for: key)
        }
    }

    func remove(_ key: ContentDigest) {
        state.withLock { ($0.young[key], $0.old[key]) = (nil, nil) }
    }
}
