import AttachmentContainer
public import Foundation

/// The folders that attachments may come from, for paths from a notification.
///
/// A path that leads outside them is rejected, whether directly, by `..` or by a symbolic link. Files
/// outside are never opened, and errors do not reveal whether they exist. Links that stay inside are
/// followed. Pipes and devices are rejected without blocking.
///
/// A file is opened once. A later replacement is neither checked nor read.
public struct AllowedRoots: Sendable, Hashable {
    private let folders: [String]?

    /// All folders, for paths that the caller chose.
    public static let anywhere = AllowedRoots(folders: nil)

    private init(folders: [String]?) {
        self.folders = folders
    }

    /// Allows folders and their contents.
    ///
    /// - Parameter folders: The folders; an empty array allows nothing.
    public init(_ folders: [URL]) {
        self.init(folders: folders.map(\.path))
    }

    /// Opens a file.
    ///
    /// - Parameter file: The file's URL.
    /// - Returns: The open file.
    /// - Throws: `DeliveryReason` with the code `outsideRoots`, `linkLeadsOut`, `missing`,
    ///   `isFolder`, `notRegular` or `unreadable`.
    public func open(_ file: URL) throws(DeliveryReason) -> AllowedFile {
        let path = file.path
        // The system would truncate the path at the NUL byte.
        guard file.isFileURL, !path.isEmpty, !path.utf8.contains(0) else {
            throw DeliveryReason(opening: ENOENT)
        }
        guard let folders else {
            return try AllowedFile(
                Self.open(Array(path.utf8), in: AT_FDCWD, Self.asFile), path: path)
        }
        let given = Self.components(path)
        let isInside = folders.contains { folder in
            given.starts(with: Self.components(folder))
                || Self.resolved(folder.utf8).map { given.starts(with: $0) } ?? false
        }
        let real = Self.resolved(path.utf8)
        let failure = errno
        guard let real else {
            guard isInside else { throw .outsideRoots }
            let roots = folders.compactMap { Self.resolved($0.utf8) }
            throw roots.isEmpty || FailedPath(path).fails(within: roots)
                ? DeliveryReason(opening: failure) : .linkLeadsOut
        }
        for folder in folders {
            guard let root = Self.resolved(folder.utf8), real.starts(with: root) else { continue }
            return try Self.open(real, beneath: root.count)
        }
        throw isInside ? .linkLeadsOut : .outsideRoots
    }

    /// Opens a path without symbolic links, folder by folder, so that a link created meanwhile is not
    /// followed.
    ///
    /// The first `depth` components are the allowed folder.
    private static func open(
        _ path: [[UInt8]], beneath depth: Int
    ) throws(DeliveryReason) -> AllowedFile {
        guard path.count > depth, let name = path.last else { throw .isFolder }
        var folder = try open(absolute(path[..<depth]), in: AT_FDCWD, asFolder)
        defer { close(folder) }
        for component in path[depth..<path.count - 1] {
            let next = try open(component, in: folder, asFolder | O_NOFOLLOW)
            close(folder)
            folder = next
        }
        return try AllowedFile(
            open(name, in: folder, asFile | O_NOFOLLOW),
            path: String(decoding: absolute(path[...]), as: UTF8.self))
    }

    private static func open(
        _ path: [UInt8], in folder: CInt, _ flags: CInt
    ) throws(DeliveryReason) -> CInt {
        let path = cString(path)
        while true {
            let descriptor = openat(folder, path, flags)
            if descriptor >= 0 { return descriptor }
            guard errno == EINTR else { throw DeliveryReason(opening: errno) }
        }
    }

    // Without O_NONBLOCK, opening a pipe blocks until a writer opens it.
    private static let asFile = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

    #if os(Linux)
        // O_PATH (open(2)), which needs no read permission and is not visible in Swift.
        private static let asFolder = 0o10000000 | O_DIRECTORY | O_CLOEXEC
    #else
        private static let asFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    #endif

    /// The names in a path with all symbolic links resolved; nil, with `errno` set, on failure.
    static func resolved(_ path: some Sequence<UInt8>) -> [[UInt8]]? {
        guard let real = realpath(cString(path), nil) else { return nil }
        defer { free(real) }
        // Not a String, which would replace bytes that are not UTF-8.
        return UnsafeRawBufferPointer(start: real, count: strlen(real)).pathNames
    }

    /// The names in an absolute path, with `.` and `..` resolved textually.
    private static func components(_ path: String) -> [[UInt8]] {
        path.pathNames.reduce(into: []) { components, component in
            if component.elementsEqual("..".utf8) {
                _ = components.popLast()
            } else if !component.elementsEqual(".".utf8) {
                components.append(component)
            }
        }
    }

    /// The absolute path of names.
    static func absolute(_ names: ArraySlice<[UInt8]>) -> [UInt8] {
        let slash = [UInt8(ascii: "/")]
        return slash + names.joined(separator: slash)
    }

    /// The path for a system call.
    static func cString(_ path: some Sequence<UInt8>) -> [CChar] {
        path.map(CChar.init(bitPattern:)) + [0]
    }
}

extension DeliveryReason {
    fileprivate static let outsideRoots = DeliveryReason(
        .outsideRoots, reason: "the path is outside the allowed folders")
    fileprivate static let linkLeadsOut = DeliveryReason(
        .linkLeadsOut, reason: "a symbolic link in the path leads outside the allowed folders")
}
