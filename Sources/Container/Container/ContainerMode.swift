/// The permissions of files and folders, regardless of the umask.
///
/// A user who may read a folder's files may also enter the folder.
public struct ContainerMode: Sendable, Hashable, CustomStringConvertible {
    /// The permission bits of files, such as `0o640`.
    public let files: UInt16

    /// Files for their owner alone: `0600` in folders of `0700`.
    public static let ownerOnly = ContainerMode(bits: 0o600)

    private init(bits: UInt16) { files = bits }

    /// Creates a mode; nil unless the owner may read and write, the group nothing, read, or read
    /// and write, and others nothing or read.
    public init?(files: UInt16) {
        let (group, others) = (files >> 3 & 7, files & 7)
        guard files >> 6 == 6, [0, 4, 6].contains(group), [0, 4].contains(others) else {
            return nil
        }
        self.init(bits: files)
    }

    /// Parses permission bits in octal digits, such as `640`; nil for an invalid mode.
    public init?(octal: String) {
        guard let bits = UInt16(octal, radix: 8) else { return nil }
        self.init(files: bits)
    }

    /// Nil unless the folder is group-readable, and group-writable or set-group-ID.
    init?(sharedBy folder: UInt16) {
        guard folder & 0o2020 != 0, folder & 0o040 != 0 else { return nil }
        self.init(files: 0o600 | folder & 0o060)
    }

    var folders: UInt16 { files | (files & 0o444) >> 2 | (files & 0o060 == 0 ? 0 : 0o2000) }

    /// The mode in octal digits.
    public var description: String { String(files, radix: 8) }
}
