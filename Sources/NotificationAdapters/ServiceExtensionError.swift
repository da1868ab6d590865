#if canImport(UserNotifications)
    /// Why a service extension delivers notifications as they came.
    public enum ServiceExtensionError: String, Error, Sendable, CustomStringConvertible {
        /// The subclass does not say what makes the renditions.
        case noProcessor = "no-processor"

        /// What to do about it.
        public var description: String {
            switch self {
            case .noProcessor:
                "nothing makes the renditions; override makeProcessor"
            }
        }
    }
#endif
