import Foundation

/// A file of the container on its way out, beside other processes that may want it again.
///
/// No call removes a file on a condition, and between looking and removing another process may
/// publish the notification again, pin it, pin it once more or use the rendition. So the file is first
/// renamed, which takes it out of everyone's sight in one step, then looked at once more, and put back
/// if somebody wanted it meanwhile. What a process that is killed in between leaves is settled by the
/// next pruning, by the same rule.
struct CondemnedFile {
    private static let suffix = ".condemned"

    let system: FileSystem
    /// Where the file stands for others.
    let path: String
    /// Whether somebody wants the file.
    let isWanted: (FileSystem.Status) throws(ContainerError) -> Bool
    /// What is done with the file that is out of sight, before it is put back.
    ///
    /// The default is nothing.
    var willPutBack: (_ aside: String) -> Void = { _ in }

    private var aside: String { Self.path(of: path) }

    /// Where a file stands once it is condemned.
    static func path(of path: String) -> String { path + suffix }

    /// The name that a file had before it was condemned; nil when it was not.
    static func name(of name: String) -> String? {
        name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : nil
    }

    /// What would be removed; nil when somebody wants the file, or it is gone.
    func unwanted() throws(ContainerError) -> FileSystem.Status? {
        guard let status = try system.status(of: path), try !isWanted(status) else { return nil }
        return status
    }

    /// Removes the file, unless somebody wants it.
    ///
    /// - Returns: What was removed; nil when somebody wants it, or it is gone.
    func remove() throws(ContainerError) -> FileSystem.Status? {
        guard let status = try unwanted() else { return nil }
        do throws(ContainerError) {
            // Another process that prunes may be faster.
            guard try system.moveIfThere(path, to: aside) else { return nil }
        } catch {
            guard error.code == .full else { throw error }
            // A volume may be so full that it has no room for another name. Space must come from
            // somewhere: then the file goes in the moment after it was looked at.
            return try system.removeFile(at: path) ? status : nil
        }
        return try settle()
    }

    /// Decides on the file that is out of sight already.
    ///
    /// - Returns: What was removed; nil when somebody wants it, or it is gone.
    func settle() throws(ContainerError) -> FileSystem.Status? {
        guard let status = try system.status(of: aside) else { return nil }
        guard try isWanted(status) else {
            return try system.removeFile(at: aside) ? status : nil
        }
        try putBack()
        return nil
    }

    /// Gives the file its name again, unless a newer one has it.
    private func putBack() throws(ContainerError) {
        guard try system.status(of: path) == nil else {
            try system.removeFile(at: aside)
            return
        }
        willPutBack(aside)
        do throws(ContainerError) {
            // A second name is given only where there is none.
            guard try system.addName(path, to: aside) else {
                _ = try system.moveIfThere(aside, to: path)
                return
            }
        } catch {
            // Somebody else published the file again, or settled this one.
            if try system.status(of: path) == nil, try system.status(of: aside) != nil {
                throw error
            }
        }
        try system.removeFile(at: aside)
    }
}
