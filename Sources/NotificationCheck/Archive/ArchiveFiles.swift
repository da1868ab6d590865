/// The files of a ZIP archive.
struct ArchiveFiles: AppFiles {
    private let archive: ZipArchive
    /// The children of every folder, by its name.
    private let folders: [String: Set<String>]

    init(archive: ZipArchive) {
        self.archive = archive
        var folders: [String: Set<String>] = [:]
        for name in archive.names {
            var child = name[...]
            // An ancestor that is known has known ancestors.
            while true {
                let cut = child.lastIndex(of: "/")
                let folder = cut.map { String(child[..<$0]) } ?? ""
                let last = String(cut.map { child[child.index(after: $0)...] } ?? child)
                let isNew = folders[folder] == nil
                folders[folder, default: []].insert(last)
                guard let cut, isNew else { break }
                child = child[..<cut]
            }
        }
        self.folders = folders
    }

    var path: String { archive.path }

    func children(of folder: String) -> [String] { (folders[folder] ?? []).sorted() }

    func contents(of name: String, ceiling: Int) throws(AppError) -> [UInt8]? {
        try archive.contents(of: name, ceiling: ceiling)
    }
}
