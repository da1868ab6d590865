import Foundation

/// Lists the regular files of a folder and its subfolders, in bounded memory.
///
/// Names are sorted by their bytes within portions of ``portion`` names.
struct FolderWalk {
    /// Maximum number of names in memory per level: a folder of a camera has at most 9999 files
    /// (JEITA CP-3461, DCF, file numbers), and is thus sorted as a whole.
    static let portion = 10_000

    private let root: String
    /// Absolute path of a folder to skip.
    private let excluded: String
    /// The folder being listed, last, and those above it.
    private var folders: [OpenFolder]

    /// Nil if the root cannot be listed.
    init?(of root: String, except excluded: String) {
        guard let folder = OpenFolder(PathBytes(), in: root) else { return nil }
        self.root = root
        self.excluded = excluded
        folders = [folder]
    }

    /// The next file, or the next folder that cannot be listed; nil at the end.
    mutating func next() -> Entry? {
        while let folder = folders.last {
            guard let entry = folder.next() else {
                folders.removeLast()
                if let error = folder.error { return .unreadableFolder(folder.path, error) }
                continue
            }
            guard entry.isFolder else { return .file(entry.path) }
            guard entry.path.path(in: root).text != excluded else { continue }
            if let inner = OpenFolder(entry.path, in: root) {
                folders.append(inner)
            } else if !Self.isGone(errno) {
                return .unreadableFolder(entry.path, errno)
            }
        }
        return nil
    }

    /// True for errors of files and folders that were removed or replaced since they were listed.
    static func isGone(_ error: CInt) -> Bool { error == ENOENT || error == ENOTDIR }
}

extension FolderWalk {
    /// A file, or a folder whose files are unknown; paths are relative to the root.
    enum Entry {
        case file(PathBytes)
        /// The folder, or the rest of it, could not be listed, for the reason of an `errno`.
        case unreadableFolder(PathBytes, CInt)
    }
}

/// A folder being listed; reads ahead one portion, and is closed at its end.
private final class OpenFolder {
    #if canImport(Darwin)
        private typealias Stream = UnsafeMutablePointer<DIR>
    #else
        private typealias Stream = OpaquePointer
    #endif

    private static let slash = UInt8(ascii: "/")

    let path: PathBytes
    /// The `errno` of a listing that ended early; nil without one.
    private(set) var error: CInt?
    private let root: String
    private var stream: Stream?
    /// Names in reverse order; folders' names end in a slash, as in the paths behind them.
    private var names: [[UInt8]] = []

    /// Nil, with `errno` set, if it cannot be listed.
    init?(_ path: PathBytes, in root: String) {
        self.path = path
        self.root = root
        stream = opendir(path.path(in: root).name)
        guard stream != nil else { return nil }
    }

    deinit { close() }

    /// The next path relative to the root; nil at the end.
    func next() -> (path: PathBytes, isFolder: Bool)? {
        if names.isEmpty { readPortion() }
        guard var name = names.popLast() else { return nil }
        let isFolder = name.last == Self.slash
        if isFolder { name.removeLast() }
        return (path.appending(name), isFolder)
    }

    private func readPortion() {
        guard let stream else { return }
        while names.count < FolderWalk.portion {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { error = errno }
                // Closed early: few descriptors are open, however deep the folders are.
                close()
                break
            }
            var name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard name.first != UInt8(ascii: "."),
                let isFolder = isFolder(name, Int(entry.pointee.d_type))
            else { continue }
            if isFolder { name.append(Self.slash) }
            names.append(name)
        }
        names.sort { $1.lexicographicallyPrecedes($0) }
    }

    /// Nil if it is neither a folder nor a regular file.
    private func isFolder(_ name: [UInt8], _ type: Int) -> Bool? {
        switch type {
        case Int(DT_DIR): return true
        case Int(DT_REG): return false
        // Not every file system stores types in folders.
        case Int(DT_UNKNOWN):
            var status = stat()
            guard lstat(path.appending(name).path(in: root).name, &status) == 0 else { return nil }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: return true
            case S_IFREG: return false
            default: return nil
            }
        default: return nil
        }
    }

    private func close() {
        if let stream { closedir(stream) }
        stream = nil
    }
}
