import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The system calls that the container makes: here those on the bytes of files, beside it those on
/// their names, and `FolderListing` for those that list folders.
///
/// Calls that a signal interrupts are made again. What is an answer rather than a failure (nothing
/// there, already there, not supported) is returned; everything else is thrown.
struct FileSystem: Sendable {
    /// What stands between this and the system; nil outside tests.
    var interposer: (any SystemCallInterposer)?
    /// The permissions of what is made.
    var mode = ContainerMode.ownerOnly

    /// The present time.
    var now: Date { interposer?.now ?? Date() }

    /// What the system knows of a file or folder.
    struct Status {
        var isFolder: Bool
        var isFile: Bool
        var bytes: Int
        var modified: Date
        /// How many names the file has.
        var links: Int
        /// The permission bits, with those that change the user, the group and who removes.
        var permissions: UInt16
    }

    /// What there is at a path; nil when there is nothing.
    func status(of path: String) throws(ContainerError) -> Status? {
        var status = stat()
        let outcome = perform(.stat, path) { _ in Int(stat(path, &status)) }
        guard outcome.failure == 0 else {
            if outcome.failure == ENOENT { return nil }
            throw ContainerError("stat", path, outcome.failure, denied: .unreadable)
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
                timeIntervalSince1970: Double(modified.tv_sec) + Double(modified.tv_nsec) / 1e9),
            links: Int(status.st_nlink), permissions: UInt16(status.st_mode & 0o7777))
    }

    /// Makes a new file, open for reading and writing.
    func createFile(at path: String) throws(ContainerError) -> OpenFile {
        let outcome = perform(.open, path) { _ in
            Int(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        }
        guard outcome.failure == 0 else {
            throw ContainerError("open", path, outcome.failure, denied: .notWritable)
        }
        protect(path)
        permit(Int32(outcome.value))
        return OpenFile(descriptor: Int32(outcome.value), path: path)
    }

    /// Makes an empty file; false when something is there already.
    func makeEmptyFile(at path: String) throws(ContainerError) -> Bool {
        let outcome = perform(.open, path) { _ in
            Int(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        }
        guard outcome.failure == 0 else {
            if outcome.failure == EEXIST { return false }
            throw ContainerError("open", path, outcome.failure, denied: .notWritable)
        }
        permit(Int32(outcome.value))
        close(Int32(outcome.value))
        protect(path)
        return true
    }

    /// Opens a file for reading; nil when there is nothing at the path.
    ///
    /// - Throws: `ContainerError`, with code `corrupt` for what is no file.
    func openFile(at path: String) throws(ContainerError) -> OpenFile? {
        // Without O_NONBLOCK the opening of a FIFO waits for a writer that may never come.
        guard let file = try openToRead(path, O_NONBLOCK) else { return nil }
        let descriptor = file.descriptor
        var status = stat()
        let outcome = perform(.fstat, path) { _ in Int(fstat(descriptor, &status)) }
        guard outcome.failure == 0 else {
            throw ContainerError("fstat", path, outcome.failure, denied: .unreadable)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ContainerError(.corrupt, path: path, reason: "it is no file")
        }
        return file
    }

    /// Opens a folder, to make its entries durable; nil when there is nothing at the path.
    func openFolder(at path: String) throws(ContainerError) -> OpenFile? {
        try openToRead(path, O_DIRECTORY)
    }

    private func openToRead(
        _ path: String, _ flags: Int32
    ) throws(ContainerError) -> OpenFile? {
        let outcome = perform(.open, path) { _ in Int(open(path, O_RDONLY | O_CLOEXEC | flags)) }
        guard outcome.failure == 0 else {
            if outcome.failure == ENOENT { return nil }
            throw ContainerError("open", path, outcome.failure, denied: .unreadable)
        }
        return OpenFile(descriptor: Int32(outcome.value), path: path)
    }

    /// Reads at an offset, leaving the descriptor's position alone.
    ///
    /// - Returns: The number of bytes read; 0 at the end.
    func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from file: borrowing OpenFile, at offset: Int
    ) throws(ContainerError) -> Int {
        let descriptor = file.descriptor
        let outcome = perform(.pread, file.path) { limit in
            pread(descriptor, buffer.baseAddress, min(buffer.count, limit), off_t(offset))
        }
        guard outcome.failure == 0 else {
            throw ContainerError("pread", file.path, outcome.failure, denied: .unreadable)
        }
        return outcome.value
    }

    /// Writes all bytes at the descriptor's position.
    func append(_ bytes: Data, to file: borrowing OpenFile) throws(ContainerError) {
        let descriptor = file.descriptor
        var rest = bytes
        while !rest.isEmpty {
            let outcome = rest.withUnsafeBytes { buffer in
                perform(.write, file.path) { limit in
                    write(descriptor, buffer.baseAddress, min(buffer.count, limit))
                }
            }
            guard outcome.failure == 0 else {
                throw ContainerError("write", file.path, outcome.failure, denied: .notWritable)
            }
            rest = rest.dropFirst(outcome.value)
        }
    }

    /// Empties a file and puts its position at the start.
    func empty(_ file: borrowing OpenFile) throws(ContainerError) {
        let descriptor = file.descriptor
        let outcome = perform(.ftruncate, file.path) { _ in
            ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0 ? 0 : -1
        }
        guard outcome.failure == 0 else {
            throw ContainerError("ftruncate", file.path, outcome.failure, denied: .notWritable)
        }
    }

    /// Waits until a file's bytes, or a folder's entries, are on the volume.
    func synchronise(_ file: borrowing OpenFile) throws(ContainerError) {
        let descriptor = file.descriptor
        let outcome = perform(.fsync, file.path) { _ in
            #if canImport(Darwin)
                // fsync alone leaves the bytes in the drive's cache; some volumes know nothing else.
                if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
            #endif
            return Int(fsync(descriptor))
        }
        guard outcome.failure == 0 else {
            throw ContainerError("fsync", file.path, outcome.failure, denied: .notWritable)
        }
    }

    /// On Apple platforms, keeps a file readable from the first unlock on: the default of a
    /// process may be stricter, and then nothing could be written while the device is locked.
    func protect(_ path: String) {
        #if canImport(Darwin)
            // Volumes without data protection refuse, and need none.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                ofItemAtPath: path)
        #endif
    }

    /// Gives a new file the container's permissions, whatever the umask took of them.
    func permit(_ descriptor: Int32) {
        // Volumes without permissions refuse, and need none.
        _ = fchmod(descriptor, mode_t(mode.files))
    }

    /// Makes a call, again for as long as a signal interrupts it.
    ///
    /// - Parameters:
    ///   - name: Which call it is.
    ///   - path: What it is made on.
    ///   - body: Makes it, with the most bytes that it may read or write.
    /// - Returns: What it gave.
    func perform(
        _ name: SystemCall.Name, _ path: String, _ body: (_ limit: Int) -> Int
    ) -> SystemCall.Outcome {
        func call(_ limit: Int) -> SystemCall.Outcome {
            errno = 0
            let value = body(limit)
            return SystemCall.Outcome(value, failure: value == -1 ? errno : 0)
        }
        while true {
            let outcome =
                interposer?.perform(SystemCall(name: name, path: path), call) ?? call(.max)
            if outcome.failure != EINTR { return outcome }
        }
    }
}
