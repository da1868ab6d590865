public import AttachmentModel
import AttachmentWorker
import WorkerProtocol

/// The options of workers.
public enum WorkerOption {
    /// A declaration of this kind.
    public typealias Declaration = OptionDeclaration<WorkerFlags, WorkerChoices>

    /// All of them, in the order of the help.
    public static let all: [Declaration] = [enforce, timeout, sandbox, threads]

    package static let enforce: Declaration = .choice(
        "enforce", \.enforce, \.enforcement,
        "Mechanism that enforces the cap: auto, cgroup, rlimit or monitor."
    ).explained(
        "auto takes the strongest available and reports it. A named mechanism that is "
            + "unavailable is an error.")
    package static let timeout: Declaration = .number(
        "timeout", \.timeout, \.timeout, 0.001...86_400, unit: "seconds",
        "Time limit for one attachment, on all rungs together.")
    package static let sandbox: Declaration = .choice(
        "sandbox", \.sandbox, \.sandbox, "Sandbox of the workers: require, auto or off."
    ).explained(
        "Workers give up unneeded rights before they read a file: other paths, sockets, "
            + "programs. auto gives up what this kernel supports and reports the rest; require "
            + "refuses to run unless all of it is supported.")
    package static let threads: Declaration = .choice(
        "threads", \.threads, \.threads, "Threads for each attachment: auto, 1 or 2."
    ).explained(
        "auto takes two while a core is idle and the cap has room for the second one's memory. The "
            + "renditions are the same bytes.")

    /// The number of attachments processed at once: as asked, or for 0 by cores and memory.
    public static func jobCount(_ jobs: Int, under cap: MemoryCap) -> Int {
        guard jobs == 0 else { return jobs }
        return AvailableMemory.workers(
            under: cap, cores: AvailableCores.current(),
            in: AvailableMemory.current())
    }

    /// Reads `auto` as 0.
    public static func jobs<Flags: Sendable, Target: OptionTarget>(
        _ flag: any KeyPath<Flags, String?> & Sendable,
        _ field: any WritableKeyPath<Target, Int> & Sendable
    ) -> OptionDeclaration<Flags, Target> {
        OptionDeclaration(
            "jobs", flag, field, "auto, or from 1 to 1024", "Attachments processed at once.",
            valueName: "number",
            parse: { $0 == "auto" ? 0 : Int($0).flatMap { 1...1024 ~= $0 ? $0 : nil } },
            show: { $0 == 0 ? "auto" : "\($0)" })
    }
}
