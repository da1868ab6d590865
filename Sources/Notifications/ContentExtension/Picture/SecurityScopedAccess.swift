#if canImport(UserNotificationsUI) && canImport(UIKit)
    import Foundation

    /// Security-scoped access to a file until deallocation.
    final class SecurityScopedAccess {
        private let url: URL
        private let isGranted: Bool

        init(to url: URL) {
            self.url = url
            isGranted = url.startAccessingSecurityScopedResource()
        }

        deinit {
            // Calls must balance, so only granted access is released.
            if isGranted { url.stopAccessingSecurityScopedResource() }
        }
    }
#endif
