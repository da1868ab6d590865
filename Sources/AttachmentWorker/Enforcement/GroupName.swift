import Foundation

/// Name of a group's folder, with its creator, so that groups of exited creators can be removed.
struct GroupName: Hashable {
    let owner: Owner
    let label: String

    var text: String { "thimble-\(owner.process)-\(owner.started)-\(label)" }

    /// The subgroup into which this process moves if it cannot stay beside its workers.
    static let supervisor = GroupName(owner: .current, label: "supervisor")

    init(owner: Owner, label: String) {
        self.owner = owner
        self.label = label
    }

    init?(_ text: String) {
        let parts = text.split(separator: "-")
        guard parts.count == 4, parts[0] == "thimble", let process = pid_t(parts[1]),
            let started = Int(parts[2])
        else { return nil }
        owner = Owner(process: process, started: started)
        label = String(parts[3])
    }

    /// A process identifier with its start time, which tells it from later processes.
    struct Owner: Hashable {
        let process: pid_t
        /// Clock ticks since boot.
        let started: Int

        static var current: Owner {
            Owner(process: getpid(), started: startTime(of: getpid()) ?? 0)
        }

        var isAlive: Bool { Self.startTime(of: process) == started }

        private static func startTime(of process: pid_t) -> Int? {
            // The command's name, in brackets, may contain spaces and brackets. The start time is
            // field 22, the 20th after the name (proc(5)).
            guard let text = KernelFile.text("/proc/\(process)/stat"),
                let name = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[text.index(after: name)...].split(separator: " ")
            // A zombie counts as exited.
            guard fields.count > 19, fields[0] != "Z" else { return nil }
            return Int(fields[19])
        }
    }
}
