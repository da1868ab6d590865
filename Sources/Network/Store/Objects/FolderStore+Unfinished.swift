import AttachmentContainer
import Foundation

extension FolderStore {
    /// Depth of the folders with files: a fleet's files lie in `sources/ab` and `results/ab`.
    private static let depth = 2

    /// The name of a file until it is whole; web servers do not serve it.
    static func unfinishedName() -> String { ".thimble-\(UUID().uuidString)" }

    private static func isUnfinished(_ name: String) -> Bool {
        let parts = name.split(separator: "-", maxSplits: 1)
        return parts.count == 2 && parts[0] == ".thimble" && UUID(uuidString: "\(parts[1])") != nil
    }

    /// Removes unfinished files that were not written to for an hour; their publisher was killed.
    ///
    /// - Returns: The lengths of the removed files; in a dry run, of files that would be removed.
    static func removeUnfinished(in destination: FolderDestination, isDryRun: Bool) -> [Int] {
        let oldest = SteadyClock.process.now - SharedContainer.incomingLifetime / .seconds(1)
        var removed: [Int] = []
        func visit(_ folder: String, _ depth: Int) {
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
            for name in names ?? [] {
                let path = "\(folder)/\(name)"
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                switch status.st_mode & S_IFMT {
                case S_IFDIR where depth < Self.depth: visit(path, depth + 1)
                case S_IFREG where isUnfinished(name) && Date(status) < oldest:
                    if isDryRun || unlink(path) == 0 { removed.append(Int(status.st_size)) }
                default: break
                }
            }
        }
        visit(destination.path, 0)
        return removed
    }
}
