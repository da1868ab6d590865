/// What may be done with a file, or with all that is in a folder.
public struct PathAccess: OptionSet, Sendable, Hashable {
    /// The bits as Landlock numbers them (kernel, include/uapi/linux/landlock.h).
    public let rawValue: UInt64

    /// Takes bits as they are.
    ///
    /// - Parameter rawValue: The bits as Landlock numbers them.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Opening files to write, and emptying or shortening them: `WRITE_FILE` and `TRUNCATE`.
    public static let writeFiles = PathAccess(rawValue: 1 << 1 | 1 << 14)
    /// Opening files to read: `READ_FILE`.
    public static let readFiles = PathAccess(rawValue: 1 << 2)
    /// Opening folders, to list them or to make them durable: `READ_DIR`.
    public static let openFolders = PathAccess(rawValue: 1 << 3)
    /// Removing files, or moving them away or over each other: `REMOVE_FILE`.
    public static let removeFiles = PathAccess(rawValue: 1 << 5)
    /// Making folders: `MAKE_DIR`.
    public static let makeFolders = PathAccess(rawValue: 1 << 7)
    /// Making files, also by moving them there: `MAKE_REG`.
    public static let makeFiles = PathAccess(rawValue: 1 << 8)
    /// Moving files to another folder that has this as well, and where no more may be done with
    /// them: `REFER`.
    public static let moveFiles = PathAccess(rawValue: 1 << 13)
}
