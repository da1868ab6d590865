import Foundation

/// The small files in which the kernel shows, and takes, single values.
enum KernelFile {
    /// Reads a file whole.
    ///
    /// - Parameter path: The file.
    /// - Returns: Its text; nil when it cannot be read.
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? nil : String(decoding: bytes, as: UTF8.self) }
            bytes += block[..<count]
        }
    }

    /// Writes a value, in the one call that the kernel expects.
    ///
    /// - Parameters:
    ///   - value: What to write.
    ///   - path: The file, which must be there.
    /// - Returns: The system's error; nil when it was taken.
    static func set(_ value: String, in path: String) -> Errno? {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return Errno(number: errno) }
        defer { close(descriptor) }
        let count = value.utf8.count
        return write(descriptor, value, count) == count ? nil : Errno(number: errno)
    }

    /// The number after a word, in a file of such lines.
    ///
    /// - Parameters:
    ///   - word: The word at the start of the line.
    ///   - path: The file.
    /// - Returns: The number; nil when there is none.
    static func number(after word: String, in path: String) -> Int? {
        text(path)?.split(separator: "\n").lazy.compactMap { line in
            let words = line.split(separator: " ")
            return words.count == 2 && words[0] == word ? Int(words[1]) : nil
        }.first
    }

    /// The number that is all of a file.
    ///
    /// - Parameter path: The file.
    /// - Returns: The number; nil when there is none.
    static func number(_ path: String) -> Int? {
        text(path).flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// What the system answers when it refuses.
    struct Errno: CustomStringConvertible {
        /// As in errno(3).
        let number: CInt

        /// The system's text.
        var description: String { String(cString: strerror(number)) }
    }
}
