import Foundation

/// A mounted hierarchy that may have the memory controller, with this process's group.
struct ControlGroupMount: Hashable {
    let version: ControlGroupHierarchy.Version
    let folder: String

    static var ofThisProcess: [ControlGroupMount] {
        all(
            mounts: KernelFile.text("/proc/self/mountinfo") ?? "",
            groups: KernelFile.text("/proc/self/cgroup") ?? "")
    }

    static func all(mounts: String, groups: String) -> [ControlGroupMount] {
        let mounted = mounts.split(separator: "\n").compactMap { Mounted($0) }
        let paths = groups.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            return parts.count == 3
                ? (controllers: parts[1].split(separator: ","), path: String(parts[2])) : nil
        }
        return [.v2, .v1].compactMap { (version: ControlGroupHierarchy.Version) in
            guard let mount = mounted.first(where: { $0.version == version }),
                let path = paths.first(where: {
                    version == .v2 ? $0.controllers.isEmpty : $0.controllers.contains("memory")
                })?.path
            else { return nil }
            return ControlGroupMount(version: version, folder: mount.folder(of: path))
        }
    }

    /// A line of mountinfo (proc(5)); `root` is the mounted group as named in the host's hierarchy.
    private struct Mounted {
        let version: ControlGroupHierarchy.Version
        let root: String
        let point: String

        init?(_ line: Substring) {
            let halves = line.components(separatedBy: " - ")
            guard halves.count == 2 else { return nil }
            let mount = halves[0].split(separator: " ")
            let system = halves[1].split(separator: " ")
            guard mount.count >= 5, system.count >= 3 else { return nil }
            switch system[0] {
            case "cgroup2": version = .v2
            case "cgroup" where system[2].split(separator: ",").contains("memory"): version = .v1
            default: return nil
            }
            root = String(mount[3])
            point = String(mount[4])
        }

        /// In a container the mount may start at or below the group.
        func folder(of path: String) -> String {
            var below = path
            if root != "/" { below = path.hasPrefix(root) ? "\(path.dropFirst(root.count))" : "" }
            let folder = below == "/" ? point : point + below
            return access(folder, F_OK) == 0 ? folder : point
        }
    }
}
