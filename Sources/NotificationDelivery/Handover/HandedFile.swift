import Foundation
import Synchronization

/// A file for the receiver of an answer.
///
/// An owned file is removed when it is discarded or the last reference goes away, unless it was
/// handed over before.
final class HandedFile: Sendable {
    let url: URL
    /// True if the file is to be removed.
    private let isOwned: Mutex<Bool>

    /// Refers to a file; an owned one was created for the receiver.
    init(_ url: URL, isOwned: Bool) {
        self.url = url
        self.isOwned = Mutex(isOwned)
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
