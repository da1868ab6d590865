import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The system calls that the container makes on files; `FolderListing` makes those that list them.
///
/// Calls that a signal interrupts are made again. What is an answer rather than a failure (nothing
/// there, already there, not supported) is returned; everything else is thrown.
struct FileSystem: Sendable {
    /// What the system knows of a file or folder.
    struct Status {
        var isFolder: Bool
        var isFile: Bool
        var bytes: Int
        var modified: Date
    }

    /// What there is at a path; nil when there is nothing.
    func status(of path: String) throws(ContainerError) -> Status? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw ContainerError("stat", path, errno, denied: .unreadable)
        }
        #if canImport(Darwin)
            let modified = status.st_mtimespec
        #else
            let modified = status.st_mtim
        #endif
        return Status(
            isFolder: status.st_mode & S_IFMT == S_IFDIR,
            isFile: status.st_mode & S_IFMT == S_IFREG,
            bytes: Int(status.st_size),
            modified: Date(
                timeIntervalSince1970: Double(modified.tv_sec) + Double(modified.tv_nsec) / 1e9))
    }

    /// Makes a folder; false when something is there already.
    @discardableResult
    func makeFolder(at path: String) throws(ContainerError) -> Bool {
        if mkdir(path, 0o755) == 0 {
            protect(path)
            return true
        }
        guard errno == EEXIST else {
            throw ContainerError("mkdir", path, errno, denied: .notWritable)
        }
        return false
    }

    /// Makes a new file, open for reading and writing.
    func createFile(at path: String) throws(ContainerError) -> OpenFile {
        let descriptor = retrying { open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else {
            throw ContainerError("open", path, errno, denied: .notWritable)
        }
        protect(path)
        return OpenFile(descriptor: descriptor, path: path)
    }

    /// Makes an empty file; false when something is there already.
    func makeEmptyFile(at path: String) throws(ContainerError) -> Bool {
        let descriptor = retrying { open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644) }
        guard descriptor >= 0 else {
            if errno == EEXIST { return false }
            throw ContainerError("open", path, errno, denied: .notWritable)
        }
        close(descriptor)
        protect(path)
        return true
    }

    /// Opens a file or a folder for reading; nil when there is nothing at the path.
    func openFile(at path: String) throws(ContainerError) -> OpenFile? {
        let descriptor = retrying { open(path, O_RDONLY | O_CLOEXEC) }
        if descriptor >= 0 { return OpenFile(descriptor: descriptor, path: path) }
        if errno == ENOENT { return nil }
        throw ContainerError("open", path, errno, denied: .unreadable)
    }

    /// Reads at an offset, leaving the descriptor's position alone.
    ///
    /// - Returns: The number of bytes read; 0 at the end.
    func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from file: borrowing OpenFile, at offset: Int
    ) throws(ContainerError) -> Int {
        let descriptor = file.descriptor
        let count = retrying { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
        guard count >= 0 else {
            throw ContainerError("pread", file.path, errno, denied: .unreadable)
        }
        return count
    }

    /// Writes all bytes at the descriptor's position.
    func append(_ bytes: Data, to file: borrowing OpenFile) throws(ContainerError) {
        let descriptor = file.descriptor
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                retrying { write(descriptor, buffer.baseAddress, buffer.count) }
            }
            guard count >= 0 else {
                throw ContainerError("write", file.path, errno, denied: .notWritable)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Empties a file and puts its position at the start.
    func empty(_ file: borrowing OpenFile) throws(ContainerError) {
        let descriptor = file.descriptor
        guard retrying({ ftruncate(descriptor, 0) }) == 0, lseek(descriptor, 0, SEEK_SET) == 0
        else { throw ContainerError("ftruncate", file.path, errno, denied: .notWritable) }
    }

    /// Waits until a file's bytes, or a folder's entries, are on the volume.
    func synchronise(_ file: borrowing OpenFile) throws(ContainerError) {
        let descriptor = file.descriptor
        #if canImport(Darwin)
            // fsync alone leaves the bytes in the drive's cache; some volumes know nothing else.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard retrying({ fsync(descriptor) }) == 0 else {
            throw ContainerError("fsync", file.path, errno, denied: .notWritable)
        }
    }

    /// Moves a file within the volume, over what is there, in one step.
    func move(_ source: String, to target: String) throws(ContainerError) {
        guard rename(source, target) == 0 else {
            throw ContainerError("rename", target, errno, denied: .notWritable)
        }
    }

    /// Gives a file a second name.
    ///
    /// - Returns: False when the volume knows no hard links.
    func addName(_ target: String, to source: String) throws(ContainerError) -> Bool {
        if link(source, target) == 0 { return true }
        guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else {
            throw ContainerError("link", target, errno, denied: .notWritable)
        }
        return false
    }

    /// Removes a file; false when there is nothing at the path.
    @discardableResult
    func removeFile(at path: String) throws(ContainerError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else {
            throw ContainerError("unlink", path, errno, denied: .notWritable)
        }
        return false
    }

    /// Sets a file's modification time to now; false when there is nothing at the path.
    func touch(_ path: String) throws(ContainerError) -> Bool {
        if utimensat(AT_FDCWD, path, nil, 0) == 0 { return true }
        guard errno == ENOENT else {
            throw ContainerError("utimensat", path, errno, denied: .notWritable)
        }
        return false
    }

    /// On Apple platforms, keeps a file readable from the first unlock on: the default of a
    /// process may be stricter, and then nothing could be written while the device is locked.
    private func protect(_ path: String) {
        #if canImport(Darwin)
            // Volumes without data protection refuse, and need none.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                ofItemAtPath: path)
        #endif
    }

    /// Makes a call again for as long as a signal interrupts it.
    private func retrying<Result: FixedWidthInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result != -1 || errno != EINTR { return result }
        }
    }
}
