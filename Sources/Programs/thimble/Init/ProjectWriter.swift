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
    /// - Throws: `ProjectError`; then the folder is as it was.
    func write(_ files: [ProjectFiles.File]) throws(ProjectError) {
        try check(files)
        var changes = Changes()
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
                    try changes.move(place, to: staging.appending(path: "\(number).old"))
                }
                try changes.move(staging.appending(path: "\(number)"), to: place)
            }
        } catch {
            changes.undo()
            throw ProjectError(error, folder.relativePath)
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
        case move(from: URL, to: URL)
    }

    private var done: [Change] = []

    /// Creates a folder with the folders above it.
    mutating func createFolder(_ folder: URL) throws {
        guard !FileManager.default.fileExists(atPath: folder.path) else { return }
        try createFolder(folder.deletingLastPathComponent())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        done.append(.folder(folder))
    }

    /// Moves an item; an item at the destination is an error.
    mutating func move(_ item: URL, to place: URL) throws {
        try FileManager.default.moveItem(at: item, to: place)
        done.append(.move(from: item, to: place))
    }

    /// Undoes all changes, the last one first.
    func undo() {
        for change in done.reversed() {
            switch change {
            // New folders contain files of this run only.
            case .folder(let folder): try? FileManager.default.removeItem(at: folder)
            case .move(let item, let place):
                try? FileManager.default.moveItem(at: place, to: item)
            }
        }
    }
}

extension ProjectError {
    fileprivate init(_ error: any Error, _ path: String) {
        let cause = (error as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError
        let isFull = [.ENOSPC, .EDQUOT].contains(cause?.code)
        self.init(isFull ? .full : .unwritable, path, error.systemReason)
    }
}
