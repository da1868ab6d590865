import Foundation

/// A small file system of ext4 in a file, mounted where every write reaches the file at once.
final class RawDisk {
    private let image: URL
    /// The folder on which it is mounted.
    let folder: URL
    private var isMounted = false

    /// Makes and mounts an image; nil without permission or tools.
    init?(in folder: URL, mebibytes: Int) {
        image = folder.appending(path: "\(UUID().uuidString).ext4")
        self.folder = folder.appending(path: "disk-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: self.folder, withIntermediateDirectories: true)
            try Data().write(to: image)
            let file = try FileHandle(forWritingTo: image)
            try file.truncate(atOffset: UInt64(mebibytes) << 20)
            try file.close()
            try Process.runQuietly("/sbin/mkfs.ext4", "-q", "-F", "-m", "0", image.path)
            try Process.runQuietly("/bin/mount", "-o", "loop,sync", image.path, self.folder.path)
            isMounted = true
        } catch {
            try? FileManager.default.removeItem(at: image)
            return nil
        }
    }

    deinit {
        unmount()
        try? FileManager.default.removeItem(at: image)
    }

    /// All bytes of the disk, unmounted.
    func bytes() throws -> Data {
        unmount()
        return try Data(contentsOf: image, options: .alwaysMapped)
    }

    private func unmount() {
        if isMounted { try? Process.runQuietly("/bin/umount", folder.path) }
        isMounted = false
    }
}
