import Foundation

/// The name of a group's folder, which says who made it: groups of owners that are gone are swept.
struct GroupName: Hashable {
    /// Who made the group.
    let owner: Owner
    let label: String

    /// As a folder's name.
    var text: String { "thimble-\(owner.process)-\(owner.started)-\(label)" }

    /// The group that this process itself moves into, where it cannot stay above its workers'.
    static let supervisor = GroupName(owner: .current, label: "supervisor")

    /// Names a group.
    ///
    /// - Parameters:
    ///   - owner: Who makes it.
    ///   - label: What tells it apart from the owner's others.
    init(owner: Owner, label: String) {
        self.owner = owner
        self.label = label
    }

    /// Reads a folder's name; nil when it is none of ours.
    ///
    /// - Parameter text: The name.
    init?(_ text: String) {
        let parts = text.split(separator: "-")
        guard parts.count == 4, parts[0] == "thimble", let process = pid_t(parts[1]),
            let started = Int(parts[2])
        else { return nil }
        owner = Owner(process: process, started: started)
        label = String(parts[3])
    }

    /// A process, told apart from later ones with the same identifier by when it started.
    struct Owner: Hashable {
        let process: pid_t
        /// In clock ticks since the system started.
        let started: Int

        /// This process.
        static var current: Owner {
            Owner(process: getpid(), started: startTime(of: getpid()) ?? 0)
        }

        /// Whether it still runs.
        var isAlive: Bool { Self.startTime(of: process) == started }

        private static func startTime(of process: pid_t) -> Int? {
            // The command's name, in brackets, may hold spaces and brackets; the start time is the
            // 22nd field of all, the 20th after the name (proc(5)).
            guard let text = KernelFile.text("/proc/\(process)/stat"),
                let name = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[text.index(after: name)...].split(separator: " ")
            // A process that ended and was not waited for is gone all the same.
            guard fields.count > 19, fields[0] != "Z" else { return nil }
            return Int(fields[19])
        }
    }
}
