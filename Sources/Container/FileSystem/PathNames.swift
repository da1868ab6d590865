/// Paths as the system reads them: names of bytes between slashes.
///
/// Swift compares characters by canonical equivalence. It finds no slash before a combining mark, and
/// takes two spellings of "é" for one, which are different files on Linux.
extension Collection<UInt8> {
    /// The names between slashes, without empty ones.
    package var pathNames: [[UInt8]] {
        split(separator: UInt8(ascii: "/")).map { Array($0) }
    }
}

extension StringProtocol {
    /// The names between slashes, without empty ones.
    package var pathNames: [[UInt8]] { utf8.pathNames }

    /// True for a path that begins at the root.
    package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

    /// True for a folder and everything below it, if both are absolute paths without links.
    public func isPath(within folder: some StringProtocol) -> Bool {
        pathNames.starts(with: folder.pathNames)
    }
}
