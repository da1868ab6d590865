import Foundation

/// Name of a group's folder, with its creator, so that groups of exited creators can be removed.
struct GroupName: Hashable {
    let owner: Owner
    let label: String

    var text: String { "thimble-\(owner.space)-\(owner.process)-\(owner.started)-\(label)" }

    /// The subgroup into which this process moves if it cannot stay beside its workers.
    static let supervisor = GroupName(owner: .current, label: "supervisor")

    init(owner: Owner, label: String) {
        self.owner = owner
        self.label = label
    }

    init?(_ text: String) {
        let parts = text.split(separator: "-")
        guard parts.count == 5, parts[0] == "thimble", let space = Int(parts[1]),
            let process = pid_t(parts[2]), let started = Int(parts[3])
        else { return nil }
        owner = Owner(space: space, process: process, started: started)
        label = String(parts[4])
    }

    /// A process identifier with its start time, which tells it from later processes.
    struct Owner: Hashable {
        /// The namespace in which the identifier holds; containers may share control groups.
        let space: Int
        let process: pid_t
        /// Clock ticks since boot.
        let started: Int

        static var current: Owner {
            Owner(space: ownSpace, process: getpid(), started: startTime(of: getpid()) ?? 0)
        }

        /// True if the process has certainly ended; of other namespaces nothing is known.
        var hasEnded: Bool {
            space == Self.ownSpace && Self.startTime(of: process) != started
        }

        /// The number of this process's namespace of identifiers (namespaces(7)); 0 if unknown.
        private static let ownSpace: Int = {
            var link = [CChar](repeating: 0, count: 64)
            let length = readlink("/proc/self/ns/pid", &link, link.count)
            // Such as "pid:[4026531836]".
            let digits = link.prefix(max(0, length)).filter { (0x30...0x39).contains($0) }
            return Int(String(decoding: digits.map(UInt8.init), as: UTF8.self)) ?? 0
        }()

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
