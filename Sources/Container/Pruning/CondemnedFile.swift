import Foundation

/// A file about to be removed while other processes may need it again.
///
/// The system has no conditional removal. So the file is first renamed, which hides it atomically,
/// then checked again, and restored if it is needed. The next pruning settles files left by a
/// killed process by the same rule.
struct CondemnedFile {
    private static let suffix = ".condemned"

    let system: FileSystem
    let path: String
    let isWanted: (FileSystem.Status) throws(ContainerError) -> Bool
    var willRestore: (_ condemnedPath: String) -> Void = { _ in }

    private var condemnedPath: String { Self.path(of: path) }

    static func path(of path: String) -> String { path + suffix }

    static func name(of name: String) -> String? {
        name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : nil
    }

    /// Nil if the file is needed or missing.
    func unwanted() throws(ContainerError) -> FileSystem.Status? {
        guard let status = try system.status(of: path), try !isWanted(status) else { return nil }
        return status
    }

    func remove() throws(ContainerError) -> FileSystem.Status? {
        guard let status = try unwanted() else { return nil }
        do throws(ContainerError) {
            // Another pruning process may be faster.
            guard try system.moveIfThere(path, to: condemnedPath) else { return nil }
        } catch {
            guard error.code == .full else { throw error }
            // A full volume may lack room for another name. To free space, the file is removed
            // right after the check.
            return try system.removeFile(at: path) ? status : nil
        }
        return try settle()
    }

    /// Returns the status of a removed file.
    func settle() throws(ContainerError) -> FileSystem.Status? {
        guard let status = try system.status(of: condemnedPath) else { return nil }
        guard try isWanted(status) else {
            return try system.removeFile(at: condemnedPath) ? status : nil
        }
        try restore()
        return nil
    }

    private func restore() throws(ContainerError) {
        guard try system.status(of: path) == nil else {
            try system.removeFile(at: condemnedPath)
            return
        }
        willRestore(condemnedPath)
        do throws(ContainerError) {
            // link(2) fails if the name is in use.
            guard try system.addName(path, to: condemnedPath) else {
                _ = try system.moveIfThere(condemnedPath, to: path)
                return
            }
        } catch {
            // Another process published the file again, or settled this one.
            if try system.status(of: path) == nil, try system.status(of: condemnedPath) != nil {
                throw error
            }
        }
        try system.removeFile(at: condemnedPath)
    }
}
