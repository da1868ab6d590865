/// The files of a ZIP archive.
struct ArchiveFiles: AppFiles {
    private let archive: ZipArchive
    /// The names in the order of their bytes, so that a folder's names are adjacent.
    private let names: [String]

    init(archive: ZipArchive) {
        self.archive = archive
        names = archive.names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    var path: String { archive.path }

    func children(of folder: String) -> [String] {
        let start = folder.isEmpty ? "" : folder + "/"
        var children: Set<String> = []
        var index = place(of: start)
        while index < names.count, names[index].utf8.starts(with: start.utf8) {
            let rest = names[index].utf8.dropFirst(start.utf8.count)
            let child = String(decoding: rest.prefix { $0 != UInt8(ascii: "/") }, as: UTF8.self)
            children.insert(child)
            // Zero follows the slash, so all names in a child that is a folder are before it.
            index = child.utf8.count < rest.count ? place(of: start + child + "0") : index + 1
        }
        return children.sorted()
    }

    /// The index of the first name that is not before a text.
    private func place(of text: String) -> Int {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].utf8.lexicographicallyPrecedes(text.utf8) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    func contents(
        of name: String, ceiling: Int, _ budget: inout ReadBudget
    ) throws(AppError) -> [UInt8]? {
        try archive.contents(of: name, ceiling: ceiling, &budget)
    }
}
