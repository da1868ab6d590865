import Foundation

/// Blocking reads and writes of the standard streams, resumed after signals.
enum StandardStream {
    /// The next bytes of standard input; nil at the end or on an error.
    static func read() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var count: Int
        repeat {
            count = bytes.withUnsafeMutableBytes {
                Foundation.read(STDIN_FILENO, $0.baseAddress, $0.count)
            }
        } while count < 0 && errno == EINTR
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    /// Writes all bytes; returns false, with `errno` set, if that fails, as when the reader is gone.
    @discardableResult
    static func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
