import Foundation

/// Writes the files of a project: all of them, or none.
///
/// All bytes are written beside the project first. Then each file is moved into place; a failure moves
/// everything back.
struct ProjectWriter {
    /// The folder of the project, which may not exist yet.
    let folder: URL
    /// True to replace files that exist.
    let replaces: Bool
    /// Moves an item; an item at the destination is an error.
    var moveItem: (_ item: URL, _ place: URL) throws -> Void = { item, place in
        try FileManager.default.moveItem(at: item, to: place)
    }

    private var manager: FileManager { .default }

    /// Checks that every file can have its place.
    ///
    /// - Throws: `ProjectError` naming a file that exists, or an item of the wrong type.
    func check(_ files: [ProjectFiles.File]) throws(ProjectError) {
        try checkFolder(folder)
        var existing: [String] = []
        for file in files {
            let place = folder.appending(path: file.path)
            var parent = folder
            for component in file.path.split(separator: "/").dropLast() {
                parent.append(path: String(component))
                try checkFolder(parent)
            }
            switch type(of: place) {
            case nil: break
            case .typeDirectory?:
                throw ProjectError(.wrongType, file.path, "a folder has the name of the file")
            default: existing.append(file.path)
            }
        }
        guard let first = existing.first, !replaces else { return }
        let others = existing.count - 1
        throw ProjectError(
            .exists, first,
            "the file exists" + (others > 0 ? ", and \(others) of the others too" : ""))
    }

    /// Writes all files.
    ///
    /// - Throws: `ProjectError`; then the folder is as it was, unless the error is `not-restored`, which says
    ///   where a replaced file is.
    func write(_ files: [ProjectFiles.File]) throws(ProjectError) {
        try check(files)
        var changes = Changes(moveItem: moveItem)
        let staging = folder.appending(path: ".thimble-init-\(UUID().uuidString)")
        do {
            try changes.createFolder(folder)
            try changes.createFolder(staging)
            for (number, file) in files.enumerated() {
                try Data(file.contents).write(to: staging.appending(path: "\(number)"))
            }
            for (number, file) in files.enumerated() {
                let place = folder.appending(path: file.path)
                try changes.createFolder(place.deletingLastPathComponent())
                if type(of: place) != nil {
                    try changes.setAside(place, as: staging.appending(path: "\(number).old"))
                }
                try changes.place(staging.appending(path: "\(number)"), at: place)
            }
        } catch {
            let stranded = changes.undo()
            guard let first = stranded.first else { throw ProjectError(error, folder.relativePath) }
            throw ProjectError(first, others: stranded.count - 1)
        }
        // All files have their places; undoing now could lose those that were replaced.
        try? manager.removeItem(at: staging)
    }

    private func checkFolder(_ place: URL) throws(ProjectError) {
        var isFolder: ObjCBool = false
        if manager.fileExists(atPath: place.path, isDirectory: &isFolder) {
            guard isFolder.boolValue else {
                throw ProjectError(
                    .wrongType, place.relativePath, "a file has the name of the folder")
            }
        } else if type(of: place) != nil {
            throw ProjectError(.wrongType, place.relativePath, "a link leads to no folder")
        }
    }

    /// The type of an item, without following links; nil without an item.
    private func type(of place: URL) -> FileAttributeType? {
        (try? manager.attributesOfItem(atPath: place.path))?[.type] as? FileAttributeType
    }
}

/// Changes of the file system, which can be undone.
private struct Changes {
    private enum Change {
        case folder(URL)
        /// A file of the user's, moved out of the way.
        case aside(from: URL, to: URL)
        /// A new file in its place.
        case new(URL)
    }

    /// A file of the user's that could not be moved back.
    struct Stranded {
        let original: URL
        let now: URL
    }

    let moveItem: (_ item: URL, _ place: URL) throws -> Void
    private var done: [Change] = []

    init(moveItem: @escaping (_ item: URL, _ place: URL) throws -> Void) {
        self.moveItem = moveItem
    }

    /// Creates a folder with the folders above it.
    mutating func createFolder(_ folder: URL) throws {
        guard !FileManager.default.fileExists(atPath: folder.path) else { return }
        try createFolder(folder.deletingLastPathComponent())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        done.append(.folder(folder))
    }

    mutating func setAside(_ item: URL, as place: URL) throws {
        try moveItem(item, place)
        done.append(.aside(from: item, to: place))
    }

    mutating func place(_ item: URL, at place: URL) throws {
        try moveItem(item, place)
        done.append(.new(place))
    }

    /// Undoes all changes, the last one first; returns the user's files that could not be moved back.
    ///
    /// A folder with such a file stays.
    func undo() -> [Stranded] {
        var stranded: [Stranded] = []
        for change in done.reversed() {
            switch change {
            case .folder(let folder):
                // Besides the user's files, new folders contain files of this run only.
                let holds = stranded.contains { $0.now.path.hasPrefix(folder.path + "/") }
                if !holds { try? FileManager.default.removeItem(at: folder) }
            case .new(let place): try? FileManager.default.removeItem(at: place)
            case .aside(let item, let place):
                do {
                    try moveItem(place, item)
                } catch {
                    stranded.append(Stranded(original: item, now: place))
                }
            }
        }
        return stranded
    }
}

extension ProjectError {
    fileprivate init(_ stranded: Changes.Stranded, others: Int) {
        self.init(
            .notRestored, stranded.original.relativePath,
            "it could not be put back and is now \(stranded.now.relativePath)"
                + (others > 0 ? ", and \(others) others are beside it" : ""))
    }

    fileprivate init(_ error: any Error, _ path: String) {
        let cause = (error as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError
        let isFull = [.ENOSPC, .EDQUOT].contains(cause?.code)
        self.init(isFull ? .full : .unwritable, path, error.systemReason)
    }
}
