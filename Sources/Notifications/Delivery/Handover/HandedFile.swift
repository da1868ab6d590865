import AttachmentContainer
import Foundation

/// A file for the receiver of an answer.
///
/// An owned file is removed when it is discarded or the last reference goes away, unless it was
/// handed over before.
final class HandedFile: Sendable {
    let url: URL
    private let isOwned: Lock<Bool>

    init(_ url: URL, isOwned: Bool) {
        self.url = url
        self.isOwned = Lock(isOwned)
    }

    deinit { discard() }

    func discard() {
        // The file may already be gone, and the sweep removes stale files later.
        if relinquish() { unlink(url.path) }
    }

    func handOver() { _ = relinquish() }

    private func relinquish() -> Bool {
        isOwned.withLock { isOwned in
            defer { isOwned = false }
            return isOwned
        }
    }
}
