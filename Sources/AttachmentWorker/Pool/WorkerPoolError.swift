public import AttachmentPlanning

/// Why there can be no workers.
public enum WorkerPoolError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A setting is outside its range.
    case settings(SettingsError)
    /// The enforcement that was asked for cannot be had.
    case enforcement(EnforcementError)
    /// There is no program to run at the path, or none beside the running one.
    case noExecutable(String)
    /// A worker was started and did not get ready, and why.
    case notReady(String)

    /// The reason and the remedy, in one line for a person.
    public var description: String {
        switch self {
        case .settings(let error): "\(error)"
        case .enforcement(let error): "\(error)"
        case .noExecutable(let path):
            "there is no program \(path); install thimble-worker beside thimble"
        case .notReady(let reason): "no worker gets ready: \(reason)"
        }
    }
}
