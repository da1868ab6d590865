#if canImport(Darwin)
    package import Foundation
#endif

/// The data protection of a container's files on Apple platforms; without effect elsewhere.
public enum DataProtection: Sendable, Hashable {
    /// Accessible from the first unlock after a start on (`completeUntilFirstUserAuthentication`).
    case afterFirstUnlock
    /// Accessible while the device is unlocked (`complete`): the strictest class. Nothing can be made
    /// while the device is locked, so it suits an app, not a service extension.
    case whileUnlocked
    /// Accessible while the device is unlocked, but files can be made on a locked one
    /// (`completeUnlessOpen`): the strictest class for the pictures of a service extension.
    case whileUnlockedUnlessOpen
    /// Accessible at any time (`none`), for files that a service extension makes before the first
    /// unlock.
    case always
}

extension DataProtection {
    /// True for a class that pictures have beside a container of ``afterFirstUnlock``.
    package var isStricterThanContainer: Bool {
        self == .whileUnlocked || self == .whileUnlockedUnlessOpen
    }
}

#if canImport(Darwin)
    extension DataProtection {
        package var fileType: FileProtectionType {
            switch self {
            case .afterFirstUnlock: .completeUntilFirstUserAuthentication
            case .whileUnlocked: .complete
            case .whileUnlockedUnlessOpen: .completeUnlessOpen
            case .always: .none
            }
        }
    }
#endif
