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
    /// - Throws: `AppError` if it exceeds the ceiling, in bytes, or what is left of the budget, or
    ///   cannot be read.
    func contents(
        of name: String, ceiling: Int, _ budget: inout ReadBudget
    ) throws(AppError) -> [UInt8]?
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
    /// Maximum number of extensions of all kinds; the largest apps have 30.
    static let extensions = 100
}

/// The bytes that may be read from an app.
///
/// An archive of a few megabytes can hold a thousand times as many bytes, in any number of files.
struct ReadBudget {
    /// 2 GiB: four programs of the largest size, or six seconds of inflating.
    private(set) var remaining = 2 << 30

    /// Takes the bytes of a file before they are read.
    ///
    /// - Throws: `AppError` naming the file if they exceed what is left.
    mutating func spend(_ count: Int, on path: String) throws(AppError) {
        guard count <= remaining else {
            throw AppError(.tooLarge, file: path, "the app's files are too large in total")
        }
        remaining -= count
    }
}
