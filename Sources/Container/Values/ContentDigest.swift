public import Foundation

/// A SHA-256 digest (FIPS 180-4), as 64 lowercase hexadecimal digits.
///
/// Digests are the names of all files in the container: of the bytes for renditions, of the
/// identifier for notifications. So no untrusted name becomes part of a path.
public struct ContentDigest: Hashable, Sendable, Codable, RawRepresentable {
    /// The 64 digits.
    public let rawValue: String

    /// Computes the digest of bytes.
    public init(of bytes: some DataProtocol) {
        var hasher = ContentHasher()
        for region in bytes.regions { region.withUnsafeBytes { hasher.update($0) } }
        self = hasher.finalize()
    }

    /// Computes the digest of a text's UTF-8 bytes, without normalising it.
    public init(of text: String) {
        self.init(of: Data(text.utf8))
    }

    /// Parses a digest; nil unless the text is 64 lowercase hexadecimal digits.
    public init?(rawValue: String) {
        guard rawValue.utf8.count == 2 * ContentHasher.byteCount,
            rawValue.utf8.allSatisfy(Self.digits.contains)
        else { return nil }
        self.rawValue = rawValue
    }

    init(of file: borrowing OpenFile, by system: FileSystem) throws(ContainerError) {
        var hasher = ContentHasher()
        var offset = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try system.fill(buffer, from: file, at: offset), count > 0 {
            hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += count
        }
        self = hasher.finalize()
    }

    init(bytes: [UInt8]) {
        let hex = bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }
        rawValue = String(decoding: hex, as: UTF8.self)
    }

    private static let digits = Array("0123456789abcdef".utf8)
}

extension ContentDigest: CustomStringConvertible {
    /// The 64 digits.
    public var description: String { rawValue }
}
