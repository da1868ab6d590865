/// The sound of a notification.
public enum NotificationSound: Sendable, Hashable {
    /// No sound.
    case none
    /// The system's default sound.
    case `default`
    /// A sound of the app.
    ///
    /// - Parameter name: The file, in the app's bundle or its `Library/Sounds`.
    case named(String)
    /// A critical alert, audible even on a silenced device.
    ///
    /// - Parameters:
    ///   - name: The file; nil for the system's sound.
    ///   - volume: From 0 to 1.
    case critical(name: String?, volume: Double)
}
