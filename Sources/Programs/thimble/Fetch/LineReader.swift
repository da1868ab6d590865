import AttachmentContainer
import Foundation

/// Reads a text file or standard input line by line.
final class LineReader: Sendable {
    /// Limit on the length of a line, in bytes; the rest of a longer one is dropped.
    private static let ceiling = 64 << 10

    private struct State {
        var bytes: [UInt8] = []
        var isAtEnd = false
    }

    private let descriptor: CInt
    private let state = Lock(State())

    /// Opens a file, or standard input for `-`; nil with `errno` set on failure.
    init?(_ path: String) {
        descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// The next line without its end; nil at the end.
    ///
    /// Blocks until the line is there.
    func next() -> String? {
        state.withLock { state in
            var searched = 0
            while true {
                if let end = state.bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                    defer { state.bytes.removeFirst(end + 1) }
                    return Self.text(state.bytes[..<end])
                }
                searched = state.bytes.count
                guard !state.isAtEnd, let new = read() else {
                    state.isAtEnd = true
                    defer { state.bytes = [] }
                    return state.bytes.isEmpty ? nil : Self.text(state.bytes[...])
                }
                let isTooLong = state.bytes.count >= Self.ceiling
                state.bytes += isTooLong ? new.drop { $0 != UInt8(ascii: "\n") } : new[...]
            }
        }
    }

    private func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        var count: Int
        repeat {
            count = bytes.withUnsafeMutableBytes {
                Foundation.read(descriptor, $0.baseAddress, $0.count)
            }
        } while count < 0 && errno == EINTR
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        return String(decoding: line, as: UTF8.self)
    }
}
