import Foundation

extension FileSystem {
    /// False if the path exists.
    @discardableResult
    func makeFolder(at path: String, isOwn: Bool = true) throws(ContainerError) -> Bool {
        let made = try call(.mkdir, path, .notWritable, unless: EEXIST) { _ in
            Int(mkdir(path, isOwn ? 0o700 : 0o755))
        }
        guard made != nil else {
            // Only a folder may be there already; one that was removed meanwhile shows later.
            if let status = try status(of: path), !status.isFolder {
                throw ContainerError(
                    .notAFolder, path: path, reason: "there is a file in place of a folder",
                    remedy: "move the file away, or choose another folder")
            }
            return false
        }
        try protect(path)
        if isOwn { permitFolder(path) }
        return true
    }

    /// Sets the container's permissions on a folder, regardless of the umask.
    func permitFolder(_ path: String) {
        // Volumes without permissions refuse; ignoring that is safe.
        _ = chmod(path, mode_t(mode.folders))
    }

    func move(_ source: String, to target: String) throws(ContainerError) {
        try call(.rename, target, .notWritable) { _ in Int(rename(source, target)) }
    }

    /// Same, but returns false if the source is missing.
    func moveIfThere(_ source: String, to target: String) throws(ContainerError) -> Bool {
        try call(.rename, target, .notWritable, unless: ENOENT) { _ in
            Int(rename(source, target))
        } != nil
    }

    /// False if the volume does not support hard links.
    func addName(_ target: String, to source: String) throws(ContainerError) -> Bool {
        try call(.link, target, .notWritable, unless: EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK) {
            _ in Int(link(source, target))
        } != nil
    }

    /// False if it is missing.
    @discardableResult
    func removeFile(at path: String) throws(ContainerError) -> Bool {
        try call(.unlink, path, .notWritable, unless: ENOENT) { _ in Int(unlink(path)) } != nil
    }

    /// Sets the modification time to now; false if the file is missing.
    func touch(_ path: String) throws(ContainerError) -> Bool {
        try call(.utimensat, path, .notWritable, unless: ENOENT) { _ in
            Int(utimensat(AT_FDCWD, path, nil, 0))
        } != nil
    }
}
