#if canImport(Darwin)
    package import Foundation
#endif

/// The data protection of a container's files on Apple platforms; without effect elsewhere.
public enum DataProtection: Sendable, Hashable {
    /// Accessible from the first unlock after a start on (`completeUntilFirstUserAuthentication`).
    case afterFirstUnlock
    /// Accessible at any time (`none`), for files that a service extension makes before the first
    /// unlock.
    case always
}

#if canImport(Darwin)
    extension DataProtection {
        package var fileType: FileProtectionType {
            switch self {
            case .afterFirstUnlock: .completeUntilFirstUserAuthentication
            case .always: .none
            }
        }
    }
#endif
