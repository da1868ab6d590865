import Foundation

/// A volume of 1 MiB and 200 files, unmounted on deinit.
final class SmallVolume {
    /// Keeps the folder until the volume is unmounted.
    private let workplace: Workplace
    private static let bytes = 1 << 20
    private static let files = 200

    var folder: URL { workplace.container }

    /// Mounts the volume over a container's folder; nil without permission.
    init?(in workplace: Workplace) {
        self.workplace = workplace
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Process.runQuietly(
                "/bin/mount", "-t", "tmpfs", "-o",
                "size=\(Self.bytes),nr_inodes=\(Self.files),mode=755", "tmpfs", folder.path)
        } catch { return nil }
    }

    deinit { try? Process.runQuietly("/bin/umount", folder.path) }

    /// Fills the volume up to `count` free bytes.
    func fill(leaving count: Int) throws {
        let file = try filler.appending(path: "bytes")
        let free = try attribute(.systemFreeSize)
        if free > count { try Data(count: free - count).write(to: file) }
    }

    /// Creates empty files until `count` more are possible.
    func fill(leavingNames count: Int) throws {
        let folder = try filler
        for number in 0..<max(0, try attribute(.systemFreeNodes) - count) {
            try Data().write(to: folder.appending(path: "\(number)"))
        }
    }

    /// Removes the filler.
    func empty() throws { try FileManager.default.removeItem(at: folder.appending(path: "filler")) }

    private var filler: URL {
        get throws {
            let filler = folder.appending(path: "filler")
            try FileManager.default.createDirectory(at: filler, withIntermediateDirectories: true)
            return filler
        }
    }

    private func attribute(_ key: FileAttributeKey) throws -> Int {
        let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
        return (attributes[key] as? NSNumber)?.intValue ?? 0
    }
}
