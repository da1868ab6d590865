package import Crypto
public import Foundation

/// A SHA-256 digest (FIPS 180-4), as 64 lowercase hexadecimal digits.
///
/// Digests name everything in the container: a rendition by its bytes, a notification by its
/// identifier. So no name that comes from outside is ever part of a path.
public struct ContentDigest: Hashable, Sendable, Codable, RawRepresentable {
    /// The 64 digits.
    public let rawValue: String

    /// Digests bytes.
    ///
    /// - Parameter bytes: What to digest.
    public init(of bytes: some DataProtocol) {
        self.init(SHA256.hash(data: bytes))
    }

    /// Digests the UTF-8 bytes of a text, without normalising it.
    ///
    /// - Parameter text: What to digest.
    public init(of text: String) {
        self.init(of: Data(text.utf8))
    }

    /// Takes the digits of a digest; nil when they are not 64 lowercase hexadecimal digits.
    ///
    /// - Parameter rawValue: The digits.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == 2 * SHA256.byteCount,
            rawValue.utf8.allSatisfy(Self.digits.contains)
        else { return nil }
        self.rawValue = rawValue
    }

    /// Digests an open file from its first byte to its end, 64 KiB at a time; the descriptor's
    /// position stays where it is.
    init(of file: borrowing OpenFile, by system: FileSystem) throws(ContainerError) {
        var hash = SHA256()
        var offset = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try system.fill(buffer, from: file, at: offset), count > 0 {
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += count
        }
        self.init(hash.finalize())
    }

    /// Takes a finished digest, where the bytes pass by anyway.
    ///
    /// - Parameter digest: What the hash function gave.
    package init(_ digest: SHA256.Digest) {
        let hex = digest.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }
        rawValue = String(decoding: hex, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

extension ContentDigest: CustomStringConvertible {
    /// The 64 digits.
    public var description: String { rawValue }
}
