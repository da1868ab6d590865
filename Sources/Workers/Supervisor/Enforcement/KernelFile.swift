import AttachmentContainer
import Foundation

enum KernelFile {
    static func text(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        // Most of these files have one number.
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? nil : String(decoding: bytes, as: UTF8.self) }
            bytes += block[..<count]
        }
    }

    /// In a single call, as the kernel requires; nil on success, otherwise `errno`.
    static func set(_ value: String, in path: String) -> CInt? {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        let count = value.utf8.count
        return write(descriptor, value, count) == count ? nil : errno
    }

    static func number(after word: String, in path: String) -> Int? {
        text(path)?.split(separator: "\n").lazy.compactMap { line in
            let words = line.split(separator: " ")
            return words.count >= 2 && words[0] == word ? Int(words[1]) : nil
        }.first
    }

    static func number(_ path: String) -> Int? {
        text(path).flatMap { Int($0.trimmed) }
    }
}
