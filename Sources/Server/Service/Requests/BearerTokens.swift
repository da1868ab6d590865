import AttachmentContainer
import Foundation
import Logging
import Synchronization

/// The tokens of a file, one per line; empty lines and lines after `#` are ignored.
///
/// Only digests are kept. A file that others may read, or that the group may change, is refused.
package final class BearerTokens: Sendable {
    package enum Failure: Error, CustomStringConvertible {
        case unreadable
        case permissions(String)
        case empty
        case tooShort(line: Int)

        /// Reason and remedy, in one line.
        package var description: String { "\(reason); \(remedy)" }

        /// The fault, in a sentence without its full stop.
        var reason: String {
            switch self {
            case .unreadable: "the token file cannot be read"
            case .permissions(let mode):
                "the token file has the mode \(mode), so others may read or change it"
            case .empty: "the token file has no token"
            case .tooShort(let line):
                "the token in line \(line) has less than \(BearerTokens.shortest) characters"
            }
        }

        /// A remedy for the operator, without a full stop.
        var remedy: String {
            switch self {
            case .unreadable: "check its path and owner"
            case .permissions: "set it to 600 or 640"
            case .empty: "add one per line"
            case .tooShort: "use a random one, such as of 'openssl rand -hex 32'"
            }
        }
    }

    /// 128 random bits in base64 without padding have 22.
    static let shortest = 22

    private let path: String
    private let digests: Mutex<[[UInt8]]>

    /// Reads the file.
    package init(path: String) throws(Failure) {
        self.path = path
        digests = Mutex(try Self.read(path))
    }

    package var count: Int { digests.withLock { $0.count } }

    /// Reads the file again; after an error, the tokens stay as they were.
    func reload() throws(Failure) {
        let read = try Self.read(path)
        digests.withLock { $0 = read }
    }

    /// True for the field of a request with a known token (RFC 6750, section 2.1).
    func accept(authorization field: String?) -> Bool {
        let words = field?.split(separator: " ") ?? []
        return words.count == 2 && words[0].lowercased() == "bearer" && accept(String(words[1]))
    }

    /// True for a known token, in a time that depends on the number of tokens only.
    func accept(_ token: String) -> Bool {
        let given = Array(ContentDigest(of: token).rawValue.utf8)
        return digests.withLock { digests in
            var isKnown = false
            for digest in digests {
                var difference: UInt8 = 0
                for (left, right) in zip(digest, given) { difference |= left ^ right }
                isKnown = (difference == 0) || isKnown
            }
            return isKnown
        }
    }

    private static func read(_ path: String) throws(Failure) -> [[UInt8]] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= 1 << 20
        else { throw .unreadable }
        guard status.st_mode & 0o027 == 0 else {
            throw .permissions(String(status.st_mode & 0o777, radix: 8))
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
            count = max(0, Foundation.read(descriptor, buffer.baseAddress, buffer.count))
        }
        var digests: [[UInt8]] = []
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let text = String(decoding: line, as: UTF8.self)
                .trimmingCharacters(in: .whitespaces.union(.controlCharacters))
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            guard text.utf8.count >= shortest else { throw .tooShort(line: index + 1) }
            digests.append(Array(ContentDigest(of: text).rawValue.utf8))
        }
        guard !digests.isEmpty else { throw .empty }
        return digests
    }
}
