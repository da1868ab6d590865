package import Foundation

extension Manifest.Rendition {
    /// The key of one sealed rendition, whose file is encrypted by AES-256 in counter mode.
    ///
    /// It is only in the encrypted part of a sealed manifest. The rendition's digest, of the ciphertext,
    /// authenticates the file, as for attachments of Matrix.
    public struct Seal: Sendable, Hashable, Codable {
        /// The key, of 32 bytes, random for each file.
        package let key: Data
        /// The initial counter block, of 16 bytes.
        package let counter: Data

        package init(key: Data, counter: Data) { (self.key, self.counter) = (key, counter) }
    }

    /// True if the file is encrypted; read it with `DisplayContent.Picture.data()` of `AttachmentDecryption`.
    public var isSealed: Bool { seal != nil }
}

extension Manifest.Rendition.Seal: CustomStringConvertible, CustomReflectable {
    /// The scheme, without the key.
    public var description: String { "AES-256-CTR" }

    /// No children, so that no dump shows the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Manifest {
    /// True if its renditions are sealed.
    public var isSealed: Bool { renditions.contains(where: \.isSealed) }
}
