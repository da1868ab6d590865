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

    func contents(of name: String, ceiling: Int) throws(AppError) -> [UInt8]? {
        let place = location(of: name)
        guard FileManager.default.fileExists(atPath: place) else { return nil }
        let resolved = URL(fileURLWithPath: place).resolvingSymlinksInPath().path
        guard resolved.hasPrefix(root + "/") else {
            throw AppError(.unsafeName, file: path(of: name), "it is a link out of the app")
        }
        do throws(ProfileError) {
            return Array(try BoundedFile.contents(of: place, ceiling: ceiling))
        } catch {
            throw AppError(
                error.code == .tooLarge ? .tooLarge : .unreadable, file: path(of: name),
                error.reason)
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
