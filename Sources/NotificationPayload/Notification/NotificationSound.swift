/// What is heard when a notification comes.
public enum NotificationSound: Sendable, Hashable {
    /// Nothing.
    case none
    /// The system's sound.
    case `default`
    /// A sound of the app.
    ///
    /// - Parameter name: The file, in the app's bundle or its `Library/Sounds`.
    case named(String)
    /// A critical alert, which is heard even when the device is silenced.
    ///
    /// - Parameters:
    ///   - name: The file; nil for the system's sound.
    ///   - volume: From 0 to 1.
    case critical(name: String?, volume: Double)
}
