public import AttachmentContainer
import Foundation

/// The part of the system's control groups that this process may make groups in: its own.
///
/// Groups are made inside the group that this process is in, so that limits that were set on it from
/// outside go on holding for all it starts. Nothing outside is looked at or changed.
public struct ControlGroupHierarchy: Sendable, Hashable {
    /// The version of the kernel's interface.
    public enum Version: Sendable, Hashable {
        /// Separate hierarchies; that of the memory controller is used.
        case v1
        /// The unified hierarchy.
        case v2
    }

    /// The version of the interface.
    public let version: Version
    /// The folder in which groups are made.
    public let folder: String

    /// Finds the hierarchy, version 2 before version 1, and tries it.
    ///
    /// With version 2, a process cannot stay in a group that hands memory on to others: this one
    /// moves into a group of its own beside them, if it is alone.
    ///
    /// - Returns: The hierarchy; groups that supervisors which are gone left in it are removed.
    /// - Throws: `EnforcementError` saying what is missing.
    public static func delegated() throws(EnforcementError) -> ControlGroupHierarchy {
        try delegated(
            in: ControlGroupMount.all(
                mounts: KernelFile.text("/proc/self/mountinfo") ?? "",
                groups: KernelFile.text("/proc/self/cgroup") ?? ""))
    }

    static func delegated(
        in mounts: [ControlGroupMount]
    ) throws(EnforcementError) -> ControlGroupHierarchy {
        var reasons: [String] = []
        for mount in mounts {
            let hierarchy = ControlGroupHierarchy(
                version: mount.version, folder: home(of: mount.folder))
            do throws(EnforcementError) {
                try hierarchy.claim()
                return hierarchy
            } catch {
                reasons.append(error.reason)
            }
        }
        throw EnforcementError(
            .cgroup,
            reasons.isEmpty
                ? "no hierarchy with the memory controller is mounted"
                : reasons.joined(separator: ", and "))
    }

    /// Makes a group for one process.
    ///
    /// - Parameter cap: The limit; memory and swap together stay under it.
    /// - Returns: The group.
    /// - Throws: `EnforcementError` saying which call the system refused.
    public func makeGroup(limit cap: ByteCount) throws(EnforcementError) -> ControlGroup {
        let name = GroupName(owner: .current, label: String(UUID().uuidString.prefix(8)))
        let group = ControlGroup(path: "\(folder)/\(name.text)", version: version)
        guard mkdir(group.path, 0o755) == 0 else { throw refusal("mkdir in \(folder)", errno) }
        do throws(EnforcementError) {
            for (file, value, isOptional) in limits(cap) {
                let path = "\(group.path)/\(file)"
                // What is not compiled into the kernel, such as swap accounting, is not there.
                if isOptional, access(path, F_OK) != 0 { continue }
                if let error = KernelFile.set(value, in: path) { throw refusal(path, error.number) }
            }
        } catch {
            group.remove()
            throw error
        }
        return group
    }

    /// Removes the groups of supervisors that are gone, with what is still in them.
    ///
    /// - Returns: How many were removed.
    @discardableResult
    public func removeStale() -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count { name in
            guard let owner = GroupName(name)?.owner, !owner.isAlive else { return false }
            return ControlGroup(path: "\(folder)/\(name)", version: version).remove()
        }
    }

    /// The files that make a limit, in the order in which the kernel takes them.
    private func limits(_ cap: ByteCount) -> [(file: String, value: String, isOptional: Bool)] {
        switch version {
        case .v1:
            [
                ("memory.limit_in_bytes", "\(cap.bytes)", false),
                ("memory.memsw.limit_in_bytes", "\(cap.bytes)", true),
            ]
        case .v2:
            [
                ("memory.max", "\(cap.bytes)", false),
                ("memory.swap.max", "0", true),
                ("memory.oom.group", "1", true),
            ]
        }
    }

    /// The group that was delegated to this process, which may have moved into one of its own.
    ///
    /// - Parameter folder: The group that it is in.
    /// - Returns: The one above if it has moved, else the same.
    static func home(of folder: String) -> String {
        let own = "/" + GroupName.supervisor.text
        return folder.hasSuffix(own) ? String(folder.dropLast(own.count)) : folder
    }

    /// Makes sure that groups can be made, by making one.
    private func claim() throws(EnforcementError) {
        if version == .v2 { try handMemoryOn() }
        removeStale()
        try makeGroup(limit: .mebibytes(1024)).remove()
    }

    private func handMemoryOn() throws(EnforcementError) {
        func lists(_ file: String) -> Bool {
            (KernelFile.text("\(folder)/\(file)") ?? "").split { $0.isWhitespace }
                .contains("memory")
        }
        guard lists("cgroup.controllers") else {
            throw EnforcementError(.cgroup, "\(folder) has no memory controller")
        }
        let control = "\(folder)/cgroup.subtree_control"
        guard !lists("cgroup.subtree_control"), let busy = KernelFile.set("+memory", in: control)
        else { return }
        guard busy.number == EBUSY else { throw refusal(control, busy.number) }
        let leaf = ControlGroup(path: "\(folder)/\(GroupName.supervisor.text)", version: .v2)
        guard mkdir(leaf.path, 0o755) == 0 || errno == EEXIST else {
            throw refusal("mkdir in \(folder)", errno)
        }
        let process = "\(getpid())"
        if let error = KernelFile.set(process, in: "\(leaf.path)/cgroup.procs")
            ?? KernelFile.set("+memory", in: control)
        {
            // Back to where it was: others are in the group too.
            _ = KernelFile.set(process, in: "\(folder)/cgroup.procs")
            rmdir(leaf.path)
            throw refusal(control, error.number)
        }
    }

    private func refusal(_ what: String, _ error: CInt) -> EnforcementError {
        EnforcementError(.cgroup, "\(what): \(KernelFile.Errno(number: error))")
    }
}
