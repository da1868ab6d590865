import Foundation

extension FileSystem {
    /// Copies, because a hard link's other owner could change the published file; removes a failed
    /// copy.
    func copyFile(
        _ source: Int32, _ bytes: Int, to path: String, sharesBlocks: Bool
    ) throws(ContainerError) -> OpenFile {
        #if canImport(Darwin)
            if sharesBlocks, fclonefileat(source, AT_FDCWD, path, 0) == 0,
                let clone = try openFile(at: path)
            {
                try protect(path)
                permit(clone.descriptor)
                // A clone keeps the times of its source and would be swept as stale.
                _ = try touch(path)
                return clone
            }
        #endif
        let file = try createFile(at: path)
        if sharesBlocks, shareBlocks(of: source, with: file) { return file }
        do throws(ContainerError) {
            try copy(source, bytes, to: file)
        } catch {
            // If this fails, the file is swept once it is stale.
            _ = try? removeFile(at: path)
            throw error
        }
        return file
    }

    private func shareBlocks(of source: Int32, with file: borrowing OpenFile) -> Bool {
        #if os(Linux)
            // FICLONE (ioctl_ficlonerange(2)): `_IOW(0x94, 9, int)`, a macro that Swift does not
            // see.
            ioctl(file.descriptor, 0x4004_9409, source) == 0
        #else
            false
        #endif
    }

    private func copy(
        _ source: Int32, _ bytes: Int, to file: borrowing OpenFile
    ) throws(ContainerError) {
        var block = Data(count: 64 << 10)
        var offset = 0
        while offset < bytes {
            let wanted = min(block.count, bytes - offset)
            let outcome = block.withUnsafeMutableBytes { buffer in
                perform(.pread, file.path) { limit in
                    pread(source, buffer.baseAddress, min(wanted, limit), off_t(offset))
                }
            }
            let count = try value(of: outcome, .pread, file.path, .unreadable)
            guard count > 0 else {
                throw ContainerError(
                    .sourceChanged, path: file.path,
                    reason: "the original became shorter while it was copied")
            }
            try append(block.prefix(count), to: file)
            offset += count
        }
    }
}
