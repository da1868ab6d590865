import AttachmentContainer
import AttachmentPublishing
import Foundation

/// A folder that a web server serves; files appear in it whole and durable.
struct FolderStore: ObjectStoring {
    let destination: FolderDestination
    /// Permissions of files and folders, whatever the umask.
    let mode: ContainerMode

    func holds(_ object: StoredObject, within limit: Duration) async throws(StoreError) -> Bool {
        try await BlockingWork.run { () throws(StoreError) in try holds(object) }
    }

    func put(
        _ object: StoredObject, _ body: OwnedDescriptor, within limit: Duration
    ) async throws(StoreError) {
        try await BlockingWork.run { () throws(StoreError) in try put(object, body) }
    }

    func get(
        _ file: String, atMost bytes: Int, within limit: Duration
    ) async throws(StoreError) -> OwnedDescriptor? {
        try await BlockingWork.run { () throws(StoreError) -> OwnedDescriptor? in
            let descriptor = open(path(file), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else {
                guard errno == ENOENT else { throw failure("a file in it cannot be read") }
                return nil
            }
            let file = OwnedDescriptor(descriptor)
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_size <= bytes else {
                throw StoreError(
                    .tooLarge, destination: destination.path,
                    reason: "a file in it is longer than \(bytes) bytes")
            }
            return file
        }
    }

    func remove(_ file: String, within limit: Duration) async throws(StoreError) {
        try await BlockingWork.run { () throws(StoreError) in
            guard unlink(path(file)) == 0 || errno == ENOENT else {
                throw failure("a file cannot be removed from it")
            }
        }
    }

    func close() async {}

    var clockDifference: Duration? { nil }

    private func holds(_ object: StoredObject) throws(StoreError) -> Bool {
        var status = stat()
        guard lstat(path(object.file), &status) == 0 else {
            guard errno == ENOENT else { throw failure("it cannot be read") }
            return false
        }
        return status.st_mode & S_IFMT == S_IFREG && Int(status.st_size) == object.bytes
    }

    private func put(_ object: StoredObject, _ body: OwnedDescriptor) throws(StoreError) {
        let path = path(object.file)
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        try makeFolders(folder)
        let unfinished = "\(folder)/\(Self.unfinishedName())"
        let descriptor = open(
            unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("a file cannot be created in it") }
        let file = OwnedDescriptor(descriptor)
        var isMoved = false
        defer { if !isMoved { unlink(unfinished) } }
        try copy(body, to: file, object)
        guard fchmod(descriptor, mode_t(mode.files)) == 0, fsync(descriptor) == 0,
            rename(unfinished, path) == 0
        else { throw failure("the file cannot be stored in it") }
        isMoved = true
        try synchronise(folder)
    }

    private func path(_ file: String) -> String { "\(destination.path)/\(file)" }

    /// Creates missing folders; those above the destination keep the umask's permissions.
    private func makeFolders(_ folder: String) throws(StoreError) {
        var status = stat()
        guard stat(folder, &status) != 0 else { return }
        let isNew = stat(destination.path, &status) != 0
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw failure("a folder cannot be created in it")
        }
        for path in (isNew ? [destination.path] : []) + [folder] {
            // Readers of the files may enter the folder.
            _ = chmod(path, mode_t(mode.files | (mode.files & 0o444) >> 2))
        }
        try synchronise(destination.path)
    }

    /// Copies and checks the digest, because the copy is served under it.
    private func copy(
        _ body: OwnedDescriptor, to file: OwnedDescriptor, _ object: StoredObject
    ) throws(StoreError) {
        var hasher = ContentHasher()
        var block = [UInt8](repeating: 0, count: 64 << 10)
        var offset = 0
        while true {
            let count = pread(body.descriptor, &block, block.count, off_t(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("the rendition cannot be read") }
            guard count > 0 else { break }
            block[..<count].withUnsafeBytes { hasher.update($0) }
            var written = 0
            while written < count {
                let some = block[written..<count].withUnsafeBytes {
                    write(file.descriptor, $0.baseAddress, $0.count)
                }
                if some < 0, errno == EINTR { continue }
                guard some > 0 else { throw failure("the file cannot be written") }
                written += some
            }
            offset += count
        }
        guard hasher.finalize() == object.digest else {
            throw StoreError(
                .storage, destination: destination.path, reason: "the rendition's file is damaged")
        }
    }

    private func synchronise(_ folder: String) throws(StoreError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("its folders cannot be opened") }
        let owned = OwnedDescriptor(descriptor)
        guard fsync(owned.descriptor) == 0 else { throw failure("its folders cannot be stored") }
    }

    private func failure(_ reason: String) -> StoreError {
        let number = errno
        let code: StoreError.Code = [ENOSPC, EDQUOT].contains(number) ? .full : .storage
        return StoreError(
            code, destination: destination.path,
            reason: "\(reason): \(String(cString: strerror(number)))")
    }
}
