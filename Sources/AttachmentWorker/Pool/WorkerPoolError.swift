public import AttachmentContainer

/// Reasons for a pool that cannot start workers.
public enum WorkerPoolError: Error, Sendable, Hashable, CustomStringConvertible {
    case settings(SettingsError)
    case enforcement(EnforcementError)
    /// The program does not exist at the path, or beside the running one.
    case noExecutable(String)
    /// A worker started but did not become ready; the text is the reason.
    case notReady(String)

    /// Reason and remedy on one line, for people.
    public var description: String {
        switch self {
        case .settings(let error): "\(error)"
        case .enforcement(let error): "\(error)"
        case .noExecutable(let path):
            "there is no program \(path); install thimble-worker beside thimble"
        case .notReady(let reason): "no worker becomes ready: \(reason)"
        }
    }
}
