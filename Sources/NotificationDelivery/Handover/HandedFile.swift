import Foundation
import Synchronization

/// A file that is meant for the receiver of an answer.
///
/// It is removed when it is discarded, at the latest with the last who holds it; unless it was left
/// to the receiver before, or was not made for it.
final class HandedFile: Sendable {
    /// Where it is.
    let url: URL
    /// Whether it is to be removed.
    private let isOurs: Mutex<Bool>

    /// Names a file.
    ///
    /// - Parameters:
    ///   - url: Where it is.
    ///   - isOurs: Whether it was made for the receiver; else it is only shown to it.
    init(_ url: URL, isOurs: Bool) {
        self.url = url
        self.isOurs = Mutex(isOurs)
    }

    deinit { discard() }

    /// Removes the file, if it is to be removed.
    func discard() {
        // What is gone already needs no removing; stale files are swept later.
        if release() { unlink(url.path) }
    }

    /// Leaves the file to the receiver.
    func leave() { _ = release() }

    private func release() -> Bool {
        isOurs.withLock { isOurs in
            defer { isOurs = false }
            return isOurs
        }
    }
}
