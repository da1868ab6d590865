import Foundation

/// A mounted hierarchy that has, or may have, the memory controller, and this process's group in it.
struct ControlGroupMount: Hashable {
    let version: ControlGroupHierarchy.Version
    /// The folder of this process's group.
    let folder: String

    /// Reads the mounts, version 2 first.
    ///
    /// - Parameters:
    ///   - mounts: `/proc/self/mountinfo` (proc(5)).
    ///   - groups: `/proc/self/cgroup` (cgroups(7)).
    /// - Returns: At most one of each version.
    static func all(mounts: String, groups: String) -> [ControlGroupMount] {
        let mounted = mounts.split(separator: "\n").compactMap { Mounted($0) }
        let paths = groups.split(separator: "\n").compactMap { line in
            let parts = line.split(
                separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
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

    /// A line of mountinfo.
    private struct Mounted {
        let version: ControlGroupHierarchy.Version
        /// The group that is mounted, as others see it.
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

        /// Where a group's folder is; in a container the mount may begin at, or below, the group.
        func folder(of path: String) -> String {
            var below = path
            if root != "/" { below = path.hasPrefix(root) ? "\(path.dropFirst(root.count))" : "" }
            let folder = below == "/" ? point : point + below
            return access(folder, F_OK) == 0 ? folder : point
        }
    }
}
