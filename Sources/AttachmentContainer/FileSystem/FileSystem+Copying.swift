import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension FileSystem {
    /// Makes a new file with the bytes of another, sharing its blocks where the volume can.
    ///
    /// A second name for the same file (a hard link) would not do: whoever owns the other could then
    /// change what was published. Shared blocks are copied by the volume before either is changed.
    ///
    /// - Parameters:
    ///   - source: The other, open for reading; its offset stays where it is.
    ///   - bytes: How much of it is copied, where blocks are not shared.
    ///   - path: Where the new file goes; there must be nothing.
    ///   - sharesBlocks: Whether the volume may share blocks.
    /// - Returns: The new file.
    /// - Throws: `ContainerError`; what was begun is removed.
    func copyFile(
        _ source: Int32, _ bytes: Int, to path: String, sharesBlocks: Bool
    ) throws(ContainerError) -> OpenFile {
        #if canImport(Darwin)
            if sharesBlocks, fclonefileat(source, AT_FDCWD, path, 0) == 0,
                let clone = try openFile(at: path)
            {
                protect(path)
                permit(clone.descriptor)
                // A clone has the times of what it was made of, and would be swept as stale.
                _ = try touch(path)
                return clone
            }
        #endif
        let file = try createFile(at: path)
        if sharesBlocks, shareBlocks(of: source, with: file) { return file }
        do throws(ContainerError) {
            try copy(source, bytes, to: file)
        } catch {
            // What cannot be removed now is swept when it is stale.
            _ = try? removeFile(at: path)
            throw error
        }
        return file
    }

    /// Asks the volume to let an empty file share the blocks of another.
    ///
    /// - Returns: Whether it does; most volumes cannot.
    private func shareBlocks(of source: Int32, with file: borrowing OpenFile) -> Bool {
        #if os(Linux)
            // FICLONE (ioctl_ficlonerange(2)): `_IOW(0x94, 9, int)`, a macro that Swift does not see.
            ioctl(file.descriptor, 0x4004_9409, source) == 0
        #else
            false
        #endif
    }

    /// Copies 64 KiB at a time.
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
            guard outcome.failure == 0 else {
                throw ContainerError("pread", file.path, outcome.failure, denied: .unreadable)
            }
            guard outcome.value > 0 else { return }
            try append(block.prefix(outcome.value), to: file)
            offset += outcome.value
        }
    }
}
