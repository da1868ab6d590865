/// An app in a folder or an archive.
struct AppLocation {
    let files: any AppFiles
    /// The app's folder, relative to the files; empty if it is their root.
    let folder: String

    /// Finds the app at a path: a bundle, an archive of Xcode, or a ZIP archive of either.
    ///
    /// - Throws: `AppError` if the path is unreadable, or has no app or several.
    static func find(at path: String) throws(AppError) -> AppLocation {
        var trimmed = path[...]
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed = trimmed.dropLast() }
        let path = String(trimmed)
        guard let isFolder = FolderFiles.isFolder(path) else {
            throw AppError(.unreadable, file: path, "it does not exist")
        }
        guard isFolder else {
            return try search(in: ArchiveFiles(archive: try ZipArchive(path: path)))
        }
        let files = FolderFiles(path: path)
        let isBundle = try isBundle(files)
        guard isBundle || path.hasSuffix(".app") else { return try search(in: files) }
        return AppLocation(files: files, folder: "")
    }

    /// True for an app in a folder of another name, such as a renamed copy.
    private static func isBundle(_ files: FolderFiles) throws(AppError) -> Bool {
        let names = try files.children(of: "")
        return names.contains("Contents")
            || names.contains("Info.plist") && names.contains("PlugIns")
    }

    /// Searches the places of apps in an .ipa and in an .xcarchive.
    private static func search(in files: any AppFiles) throws(AppError) -> AppLocation {
        let top = try files.children(of: "")
        var folders = ["", "Payload", "Products/Applications"]
        folders += top.filter { $0.hasSuffix(".xcarchive") }.map { "\($0)/Products/Applications" }
        var apps: [String] = []
        for folder in folders {
            apps += try files.children(of: folder).filter { $0.hasSuffix(".app") }
                .map { folder.isEmpty ? $0 : "\(folder)/\($0)" }
        }
        guard let app = apps.first, apps.count == 1 else {
            throw AppError(
                .notAnApp, file: files.path,
                apps.isEmpty ? "it contains no app" : "it contains \(apps.count) apps")
        }
        return AppLocation(files: files, folder: app)
    }
}
