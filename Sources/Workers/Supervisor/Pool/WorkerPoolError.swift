public import AttachmentContainer
import ProgramLaunch

/// Reasons for a pool that cannot start workers.
public enum WorkerPoolError: FaultConvertible, Sendable, Hashable {
    case settings(SettingsError)
    case enforcement(EnforcementError)
    /// The program does not exist at the path, or in the folders in which it may be installed.
    case noExecutable(String)
    /// A worker started but did not become ready; the fault is the reason.
    case notReady(Fault)

    /// The failure, with the code of its cause.
    public var fault: Fault {
        switch self {
        case .settings(let error): error.fault
        case .enforcement(let error): error.fault
        case .noExecutable(let path):
            Fault(
                .workers, "no-executable", reason: "there is no program \(path)",
                remedy: InstalledProgram.remedy)
        case .notReady(let fault): fault
        }
    }

    /// Reason and remedy on one line, for people.
    public var description: String { fault.description }
}
