import Foundation

/// Where the worker says what no message can carry; the supervisor keeps the end of it.
enum StandardError {
    /// Writes one line.
    ///
    /// - Parameter line: The line, without its end.
    static func print(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        // What nobody reads any more is lost without harm.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
