import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// System calls of the container: file contents here, names in `FileSystem+Names`, and listings in
/// `FolderListing`.
///
/// Calls interrupted by a signal are repeated. Expected outcomes (missing, existing, unsupported)
/// are returned; all other failures are thrown.
struct FileSystem: Sendable {
    /// Intercepts calls in tests; nil otherwise.
    var interposer: (any SystemCallInterposer)?
    /// Permissions of new files and folders.
    var mode = ContainerMode.ownerOnly

    var now: Date { interposer?.now ?? Date() }

    struct Status {
        var isFolder: Bool
        var isFile: Bool
        var bytes: Int
        var modified: Date
        var links: Int
        /// Permission bits, including set-user-ID, set-group-ID and sticky.
        var permissions: UInt16
    }

    /// Status of the file or folder at a path; nil if it is missing.
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

    /// Creates a file, open for reading and writing.
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

    /// Creates an empty file; false if the path exists.
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

    /// Opens a regular file for reading; nil if it is missing, `corrupt` if it is of another kind.
    func openFile(at path: String) throws(ContainerError) -> OpenFile? {
        // Without O_NONBLOCK, opening a FIFO waits for a writer.
        guard let file = try openToRead(path, O_NONBLOCK) else { return nil }
        let descriptor = file.descriptor
        var status = stat()
        let outcome = perform(.fstat, path) { _ in Int(fstat(descriptor, &status)) }
        guard outcome.failure == 0 else {
            throw ContainerError("fstat", path, outcome.failure, denied: .unreadable)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ContainerError(.corrupt, path: path, reason: "it is not a regular file")
        }
        return file
    }

    /// Opens a folder to synchronise it; nil if it is missing.
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

    /// Reads at an offset without moving the descriptor's position; returns 0 at the end.
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

    /// Truncates a file and rewinds it.
    func empty(_ file: borrowing OpenFile) throws(ContainerError) {
        let descriptor = file.descriptor
        let outcome = perform(.ftruncate, file.path) { _ in
            ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0 ? 0 : -1
        }
        guard outcome.failure == 0 else {
            throw ContainerError("ftruncate", file.path, outcome.failure, denied: .notWritable)
        }
    }

    /// Waits until a file's bytes, or a folder's entries, are durable.
    func synchronise(_ file: borrowing OpenFile) throws(ContainerError) {
        let descriptor = file.descriptor
        let outcome = perform(.fsync, file.path) { _ in
            #if canImport(Darwin)
                // fsync alone leaves data in the drive's cache, but some volumes support only that.
                if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
            #endif
            return Int(fsync(descriptor))
        }
        guard outcome.failure == 0 else {
            throw ContainerError("fsync", file.path, outcome.failure, denied: .notWritable)
        }
    }

    /// On Apple platforms, makes a file accessible after the first unlock.
    ///
    /// The process default may be stricter and would block writes while the device is locked.
    func protect(_ path: String) {
        #if canImport(Darwin)
            // Volumes without data protection refuse; ignoring that is safe.
            try? FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
                ofItemAtPath: path)
        #endif
    }

    /// Sets the container's permissions on a new file, regardless of the umask.
    func permit(_ descriptor: Int32) {
        // Volumes without permissions refuse; ignoring that is safe.
        _ = fchmod(descriptor, mode_t(mode.files))
    }

    /// Makes a call, repeating it while signals interrupt it.
    ///
    /// `body` receives the largest number of bytes that it may read or write.
    func perform(
        _ name: SystemCall.Name, _ path: String, _ body: (_ limit: Int) -> Int
    ) -> SystemCall.ReturnValue {
        func call(_ limit: Int) -> SystemCall.ReturnValue {
            errno = 0
            let value = body(limit)
            return SystemCall.ReturnValue(value, failure: value == -1 ? errno : 0)
        }
        while true {
            let outcome =
                interposer?.perform(SystemCall(name: name, path: path), call) ?? call(.max)
            if outcome.failure != EINTR { return outcome }
        }
    }
}
