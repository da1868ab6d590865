/// The files of a folder or an archive.
///
/// Names are relative, with full components: neither empty nor `.` or `..`.
protocol AppFiles {
    /// The path of the folder or archive, as given.
    var path: String { get }

    /// Returns the names of the direct children of a folder, sorted; empty if it is missing.
    func children(of folder: String) throws(AppError) -> [String]

    /// Reads a file; nil if it is missing.
    ///
    /// - Throws: `AppError` if it exceeds the ceiling, in bytes, or cannot be read.
    func contents(of name: String, ceiling: Int) throws(AppError) -> [UInt8]?
}

extension AppFiles {
    /// The path of a file in messages.
    func path(of name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }
}

enum AppFilesLimit {
    /// Maximum number of files in an archive or of children of a folder; large apps have 20,000.
    static let files = 200_000
    /// Maximum size of a program, in bytes; the largest apps have 300 MB.
    static let program = 1 << 29
}
