import Foundation

/// Diagnostics outside the protocol.
///
/// The supervisor keeps the last lines.
enum StandardError {
    static func print(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        // Losing output that nobody reads is harmless.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
