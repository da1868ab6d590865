import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Calls that create, rename and remove directory entries.
extension FileSystem {
    /// Creates a folder, with the container's permissions if `isOwn`; false if the path exists.
    @discardableResult
    func makeFolder(at path: String, isOwn: Bool = true) throws(ContainerError) -> Bool {
        let outcome = perform(.mkdir, path) { _ in Int(mkdir(path, isOwn ? 0o700 : 0o755)) }
        guard outcome.failure == 0 else {
            if outcome.failure == EEXIST { return false }
            throw ContainerError("mkdir", path, outcome.failure, denied: .notWritable)
        }
        protect(path)
        if isOwn { permitFolder(path) }
        return true
    }

    /// Sets the container's permissions on a folder, regardless of the umask.
    func permitFolder(_ path: String) {
        // Volumes without permissions refuse; ignoring that is safe.
        _ = chmod(path, mode_t(mode.folders))
    }

    /// Renames a file atomically, replacing the target.
    func move(_ source: String, to target: String) throws(ContainerError) {
        guard try moveIfThere(source, to: target) else {
            throw ContainerError("rename", target, ENOENT, denied: .notWritable)
        }
    }

    /// Same, but returns false if the source is missing.
    func moveIfThere(_ source: String, to target: String) throws(ContainerError) -> Bool {
        let outcome = perform(.rename, target) { _ in Int(rename(source, target)) }
        guard outcome.failure == 0 else {
            if outcome.failure == ENOENT { return false }
            throw ContainerError("rename", target, outcome.failure, denied: .notWritable)
        }
        return true
    }

    /// Creates a hard link; false if the volume does not support them.
    func addName(_ target: String, to source: String) throws(ContainerError) -> Bool {
        let outcome = perform(.link, target) { _ in Int(link(source, target)) }
        guard outcome.failure == 0 else {
            guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(outcome.failure) else {
                throw ContainerError("link", target, outcome.failure, denied: .notWritable)
            }
            return false
        }
        return true
    }

    /// Removes a file; false if it is missing.
    @discardableResult
    func removeFile(at path: String) throws(ContainerError) -> Bool {
        let outcome = perform(.unlink, path) { _ in Int(unlink(path)) }
        guard outcome.failure == 0 else {
            if outcome.failure == ENOENT { return false }
            throw ContainerError("unlink", path, outcome.failure, denied: .notWritable)
        }
        return true
    }

    /// Sets a file's modification time to now; false if it is missing.
    func touch(_ path: String) throws(ContainerError) -> Bool {
        let outcome = perform(.utimensat, path) { _ in Int(utimensat(AT_FDCWD, path, nil, 0)) }
        guard outcome.failure == 0 else {
            if outcome.failure == ENOENT { return false }
            throw ContainerError("utimensat", path, outcome.failure, denied: .notWritable)
        }
        return true
    }
}
