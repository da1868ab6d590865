import Foundation

/// Repeats interrupted calls, returns expected outcomes (missing, existing, unsupported), throws
/// others.
struct FileSystem: Sendable {
    var interposer: (any SystemCallInterposer)?
    var mode = ContainerMode.ownerOnly
    var protection = DataProtection.afterFirstUnlock

    var now: Date { interposer?.now ?? Date() }

    /// The time against which ages of files are measured.
    var steadyNow: Date { interposer?.now ?? SteadyClock.process.now }

    struct Status {
        var isFolder: Bool
        var isFile: Bool
        var bytes: Int
        var modified: Date
        var links: Int
        var device: UInt64
        var number: UInt64
        /// Permission bits, including set-user-ID, set-group-ID and sticky.
        var permissions: UInt16
    }

    func status(of path: String) throws(ContainerError) -> Status? {
        var status = stat()
        let found = try call(.stat, path, .unreadable, unless: ENOENT) { _ in
            Int(stat(path, &status))
        }
        guard found != nil else { return nil }
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
            links: Int(status.st_nlink),
            device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino),
            permissions: UInt16(status.st_mode & 0o7777))
    }

    /// Nil if the path exists.
    private func createFileIfMissing(at path: String) throws(ContainerError) -> OpenFile? {
        let descriptor = try call(.open, path, .notWritable, unless: EEXIST) { _ in
            Int(open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        }
        guard let descriptor else { return nil }
        let file = OpenFile(descriptor: Int32(descriptor), path: path)
        try protect(path)
        permit(Int32(descriptor))
        return file
    }

    func createFile(at path: String) throws(ContainerError) -> OpenFile {
        guard let file = try createFileIfMissing(at: path) else {
            throw ContainerError("open", path, EEXIST, denied: .notWritable)
        }
        return file
    }

    /// False if the path exists.
    func makeEmptyFile(at path: String) throws(ContainerError) -> Bool {
        switch try createFileIfMissing(at: path) {
        case .some: true
        case nil: false
        }
    }

    /// Opens a regular file for reading; nil if it is missing, `corrupt` if it is of another kind.
    func openFile(at path: String) throws(ContainerError) -> OpenFile? {
        // Without O_NONBLOCK, opening a FIFO waits for a writer.
        guard let file = try openToRead(path, O_NONBLOCK) else { return nil }
        let descriptor = file.descriptor
        var status = stat()
        try call(.fstat, path, .unreadable) { _ in Int(fstat(descriptor, &status)) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ContainerError(.corrupt, path: path, reason: "it is not a regular file")
        }
        return file
    }

    func openFolder(at path: String) throws(ContainerError) -> OpenFile? {
        try openToRead(path, O_DIRECTORY)
    }

    private func openToRead(_ path: String, _ flags: Int32) throws(ContainerError) -> OpenFile? {
        let descriptor = try call(.open, path, .unreadable, unless: ENOENT) { _ in
            Int(open(path, O_RDONLY | O_CLOEXEC | flags))
        }
        guard let descriptor else { return nil }
        return OpenFile(descriptor: Int32(descriptor), path: path)
    }

    /// Does not move the descriptor's position; returns 0 at the end.
    func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from file: borrowing OpenFile, at offset: Int
    ) throws(ContainerError) -> Int {
        let descriptor = file.descriptor
        return try call(.pread, file.path, .unreadable) { limit in
            pread(descriptor, buffer.baseAddress, min(buffer.count, limit), off_t(offset))
        }
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
            let count = try value(of: outcome, .write, file.path, .notWritable)
            // Only a broken volume accepts nothing without an error; repeating would never end.
            guard count > 0 else {
                throw ContainerError("write", file.path, EIO, denied: .notWritable)
            }
            rest = rest.dropFirst(count)
        }
    }

    func empty(_ file: borrowing OpenFile) throws(ContainerError) {
        let descriptor = file.descriptor
        try call(.ftruncate, file.path, .notWritable) { _ in
            ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0 ? 0 : -1
        }
    }

    /// Waits until a file's bytes, or a folder's entries, are durable.
    func synchronise(_ file: borrowing OpenFile) throws(ContainerError) {
        let descriptor = file.descriptor
        try call(.fsync, file.path, .notWritable) { _ in
            #if canImport(Darwin)
                // fsync alone leaves data in the drive's cache, but some volumes support only that.
                if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
            #endif
            return Int(fsync(descriptor))
        }
    }

    /// On Apple platforms, sets the protection class, which need not be the process default.
    ///
    /// A stricter class than the container's own that the system refuses is an error.
    func protect(_ path: String) throws(ContainerError) {
        #if canImport(Darwin)
            do {
                try FileManager.default.setAttributes(
                    [.protectionKey: protection.fileType], ofItemAtPath: path)
            } catch {
                // Volumes without data protection refuse; ignoring that is safe.
                guard protection.isStricterThanContainer else { return }
                // The file must not stay behind under the weaker class.
                _ = try? removeFile(at: path)
                throw ContainerError(
                    .notWritable, path: path, reason: "the system refuses its data protection",
                    remedy: "unlock the device, or choose whileUnlockedUnlessOpen",
                    detail: "\((error as NSError).domain) \((error as NSError).code)")
            }
        #endif
    }

    func permit(_ descriptor: Int32) {
        // Volumes without permissions refuse; ignoring that is safe.
        _ = fchmod(descriptor, mode_t(mode.files))
    }

    /// `denied` is the error code for missing permissions.
    @discardableResult
    func call(
        _ name: SystemCall.Name, _ path: String, _ denied: ContainerError.Code,
        _ body: (_ limit: Int) -> Int
    ) throws(ContainerError) -> Int {
        try value(of: perform(name, path, body), name, path, denied)
    }

    /// Same, but returns nil for an expected error number.
    func call(
        _ name: SystemCall.Name, _ path: String, _ denied: ContainerError.Code,
        unless expected: Int32..., body: (_ limit: Int) -> Int
    ) throws(ContainerError) -> Int? {
        let outcome = perform(name, path, body)
        return expected.contains(outcome.failure) ? nil : try value(of: outcome, name, path, denied)
    }

    func value(
        of outcome: SystemCall.ReturnValue, _ name: SystemCall.Name, _ path: String,
        _ denied: ContainerError.Code
    ) throws(ContainerError) -> Int {
        guard outcome.failure == 0 else {
            throw ContainerError(name.rawValue, path, outcome.failure, denied: denied)
        }
        return outcome.value
    }

    /// Makes a call, with a limit on the bytes read or written; repeats it after signals.
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
