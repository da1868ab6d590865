import AttachmentContainer
import Foundation

/// Reads and writes single values in kernel files such as those of procfs.
enum KernelFile {
    /// The whole file; nil if it cannot be read.
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

    /// Writes a value in a single call, as the kernel requires.
    ///
    /// Returns nil on success.
    static func set(_ value: String, in path: String) -> Errno? {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return Errno(number: errno) }
        defer { close(descriptor) }
        let count = value.utf8.count
        return write(descriptor, value, count) == count ? nil : Errno(number: errno)
    }

    /// The number after a word at the start of a line.
    static func number(after word: String, in path: String) -> Int? {
        text(path)?.split(separator: "\n").lazy.compactMap { line in
            let words = line.split(separator: " ")
            return words.count == 2 && words[0] == word ? Int(words[1]) : nil
        }.first
    }

    /// The number that is the file's only content.
    static func number(_ path: String) -> Int? {
        text(path).flatMap { Int($0.trimmed) }
    }

    /// A system error.
    struct Errno: CustomStringConvertible {
        let number: CInt

        var description: String { String(cString: strerror(number)) }
    }
}
