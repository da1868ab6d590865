import Foundation
import Subprocess
import Synchronization

/// The last bytes of what a process prints: workers have no terminal, so that a crash does not draw
/// over the progress of a batch, and its text goes into the error instead.
final class Tail: Sendable {
    private let limit: Int
    private let bytes = Mutex(Data())

    /// Begins with nothing.
    ///
    /// - Parameter limit: How many bytes are kept.
    init(limit: Int) { self.limit = limit }

    /// What was kept.
    var text: String {
        bytes.withLock { String(decoding: $0, as: UTF8.self) }
            .trimmingCharacters(in: .whitespacesAndNewlines).printable(limit)
    }

    /// Adds a text.
    ///
    /// - Parameter text: The text.
    func append(_ text: String) { append(bytes: text.utf8) }

    /// Adds all that a process prints, until it ends.
    ///
    /// - Parameter output: Its standard error.
    func collect(_ output: SubprocessOutputSequence) async {
        do {
            for try await buffer in output { buffer.withUnsafeBytes { append(bytes: $0) } }
        } catch {
            // The end of the process cuts what is being read.
        }
    }

    private func append(bytes new: some Sequence<UInt8>) {
        bytes.withLock { bytes in
            bytes.append(contentsOf: new)
            bytes = Data(bytes.suffix(limit))
        }
    }
}
