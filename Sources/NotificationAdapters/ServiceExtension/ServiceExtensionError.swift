#if canImport(UserNotifications)
    /// Errors that make a service extension deliver notifications unchanged.
    public enum ServiceExtensionError: String, Error, Sendable, CustomStringConvertible {
        /// The subclass provides no processor.
        case noProcessor = "no-processor"

        /// The error and its remedy.
        public var description: String {
            switch self {
            case .noProcessor: "no processor is available; override makeProcessor"
            }
        }
    }
#endif
