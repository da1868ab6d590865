import AttachmentContainer
import Foundation

/// The files of a folder.
///
/// A link that leads out of the folder is an error.
struct FolderFiles: AppFiles {
    let path: String
    private let root: String

    init(path: String) {
        self.path = path
        root = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath().path
    }

    func children(of folder: String) throws(AppError) -> [String] {
        let place = location(of: folder)
        guard Self.isFolder(place) == true else { return [] }
        try checkInside(place, folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place) else {
            throw AppError(.unreadable, file: path(of: folder), "the folder cannot be listed")
        }
        guard names.count <= AppFilesLimit.files else {
            throw AppError(
                .tooLarge, file: path(of: folder),
                "the folder has more than \(AppFilesLimit.files) files")
        }
        return names.sorted()
    }

    func contents(
        of name: String, ceiling: Int, _ budget: inout ReadBudget
    ) throws(AppError) -> [UInt8]? {
        let place = location(of: name)
        guard FileManager.default.fileExists(atPath: place) else { return nil }
        try checkInside(place, name)
        let file = try ReadOnlyFile(path: place, name: path(of: name))
        guard file.size <= ceiling else {
            throw AppError(.tooLarge, file: file.name, "it is longer than \(ceiling) bytes")
        }
        try budget.spend(file.size, on: file.name)
        return try file.read(at: 0, count: file.size)
    }

    private func checkInside(_ place: String, _ name: String) throws(AppError) {
        let resolved = URL(fileURLWithPath: place).resolvingSymlinksInPath().path
        guard resolved.isPath(within: root) else {
            throw AppError(.unsafeName, file: path(of: name), "it is a link out of the app")
        }
    }

    /// True for a folder or a link to one; nil if nothing is at the path.
    static func isFolder(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    private func location(of name: String) -> String { name.isEmpty ? root : "\(root)/\(name)" }
}
