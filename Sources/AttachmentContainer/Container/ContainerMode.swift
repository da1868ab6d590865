/// The permissions of a container's files and folders.
///
/// Folders can be entered by whoever may read the files in them. The umask of a process does not
/// count.
public struct ContainerMode: Sendable, Hashable, CustomStringConvertible {
    /// The permission bits of files, such as `0o640`.
    public let files: UInt16

    /// Files for their owner alone: `0600` in folders of `0700`.
    public static let ownerOnly = ContainerMode(bits: 0o600)

    private init(bits: UInt16) { files = bits }

    /// Takes permission bits of files.
    ///
    /// - Parameter files: Reading and writing for the owner, at most that for the group, and at most
    ///   reading for others; nil for anything else.
    public init?(files: UInt16) {
        let (group, others) = (files >> 3 & 7, files & 7)
        guard files >> 6 == 6, [0, 4, 6].contains(group), [0, 4].contains(others) else {
            return nil
        }
        self.init(bits: files)
    }

    /// Reads permission bits as chmod(1) takes them.
    ///
    /// - Parameter octal: Octal digits, such as `640`; nil for anything that is no mode of files.
    public init?(octal: String) {
        guard let bits = UInt16(octal, radix: 8) else { return nil }
        self.init(files: bits)
    }

    /// The mode of a folder that was made to be shared with its group.
    ///
    /// - Parameter folder: The permission bits of the folder, with the set-group-ID bit; nil when
    ///   that is not set, and the group may not write either.
    init?(sharedBy folder: UInt16) {
        guard folder & 0o2020 != 0, folder & 0o040 != 0 else { return nil }
        self.init(files: 0o600 | folder & 0o060)
    }

    /// The permission bits of folders, whose group goes over to what is made in them where the group
    /// has a share in it.
    var folders: UInt16 { files | (files & 0o444) >> 2 | (files & 0o060 == 0 ? 0 : 0o2000) }

    /// Octal digits.
    public var description: String { String(files, radix: 8) }
}
