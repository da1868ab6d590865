import AttachmentContainer
import Foundation
package import Subprocess

/// Last output of a process, for errors; on the terminal it would overwrite the progress bar.
package final class Tail: Sendable {
    private let limit: Int
    private let bytes = Lock(Data())

    package init(limit: Int) { self.limit = limit }

    package var text: String {
        bytes.withLock { String(decoding: $0, as: UTF8.self) }
            .trimmed.printable(limit)
    }

    package func append(_ text: String) { append(bytes: text.utf8) }

    package func collect(_ output: SubprocessOutputSequence) async {
        do {
            for try await buffer in output { buffer.withUnsafeBytes { append(bytes: $0) } }
        } catch {
            // The exit of the process interrupts the read.
        }
    }

    private func append(bytes new: some Sequence<UInt8>) {
        bytes.withLock { bytes in
            bytes.append(contentsOf: new)
            bytes = Data(bytes.suffix(limit))
        }
    }
}
