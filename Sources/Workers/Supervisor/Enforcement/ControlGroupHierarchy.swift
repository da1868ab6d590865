public import AttachmentContainer
import Foundation

/// This process's own group, in which it may create others; its limits apply to them too.
public struct ControlGroupHierarchy: Sendable, Hashable {
    /// Version of the kernel's interface.
    public enum Version: Sendable, Hashable {
        /// Separate hierarchies; the memory controller's is used.
        case v1
        /// The unified hierarchy.
        case v2
    }

    /// Version of the interface.
    public let version: Version
    /// Folder in which groups are created.
    public let folder: String

    /// Finds a usable hierarchy, version 2 before version 1, and removes stale groups in it.
    ///
    /// A version 2 group cannot contain both processes and groups with the memory controller. If
    /// this process is alone in its group, it moves into a subgroup of its own.
    public static func delegated() throws(EnforcementError) -> ControlGroupHierarchy {
        try delegated(in: ControlGroupMount.ofThisProcess)
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

    /// Creates an empty group with a limit on memory and swap together, for one process.
    public func makeGroup(limit cap: ByteCount) throws(EnforcementError) -> ControlGroup {
        let name = GroupName(owner: .current, label: String(UUID().uuidString.prefix(8)))
        let group = ControlGroup(path: "\(folder)/\(name.text)", version: version)
        guard mkdir(group.path, 0o755) == 0 else { throw refusal("mkdir in \(folder)", errno) }
        do throws(EnforcementError) {
            for (file, value, isOptional) in limits(cap) {
                let path = "\(group.path)/\(file)"
                // Files for features missing from the kernel, such as swap accounting, do not
                // exist.
                if isOptional, access(path, F_OK) != 0 { continue }
                if let error = KernelFile.set(value, in: path) { throw refusal(path, error) }
            }
        } catch {
            group.remove()
            throw error
        }
        return group
    }

    /// Removes the groups of exited supervisors with their processes; returns their number.
    ///
    /// No removal begins after `time`, because a start waits for it: the kernel took 88 s for the
    /// groups of one killed campaign. The next start removes the others.
    @discardableResult
    public func removeStale(within time: Duration = .milliseconds(100)) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let end = ContinuousClock.now + time
        return names.count { name in
            guard let owner = GroupName(name)?.owner, owner.hasEnded, .now < end else {
                return false
            }
            return ControlGroup(path: "\(folder)/\(name)", version: version).remove()
        }
    }

    /// Files that set the limit, in the order required by the kernel.
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

    /// The delegated group, also after this process has moved into a subgroup.
    static func home(of folder: String) -> String {
        let own = "/" + GroupName.supervisor.text
        return folder.hasSuffix(own) ? String(folder.dropLast(own.count)) : folder
    }

    private func claim() throws(EnforcementError) {
        if version == .v2 { try delegateMemory() }
        removeStale()
        try makeGroup(limit: .mebibytes(1024)).remove()
    }

    private func delegateMemory() throws(EnforcementError) {
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
        guard busy == EBUSY else { throw refusal(control, busy) }
        let leaf = ControlGroup(path: "\(folder)/\(GroupName.supervisor.text)", version: .v2)
        guard mkdir(leaf.path, 0o755) == 0 || errno == EEXIST else {
            throw refusal("mkdir in \(folder)", errno)
        }
        let process = "\(getpid())"
        if let error = KernelFile.set(process, in: "\(leaf.path)/cgroup.procs")
            ?? KernelFile.set("+memory", in: control)
        {
            // Move back, because other processes are in the group too.
            _ = KernelFile.set(process, in: "\(folder)/cgroup.procs")
            rmdir(leaf.path)
            throw refusal(control, error)
        }
    }

    private func refusal(_ what: String, _ error: CInt) -> EnforcementError {
        EnforcementError(.cgroup, "\(what): \(String(cString: strerror(error)))")
    }
}
