/// How urgently a notification asks for attention, as `aps.interruption-level` says it.
public struct InterruptionLevel: RawRepresentable, Sendable, Hashable {
    /// The word in the payload.
    public let rawValue: String

    /// Takes the word of a payload, known or not.
    ///
    /// - Parameter rawValue: The word.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// It is put into the list without lighting the screen.
    public static let passive = InterruptionLevel(rawValue: "passive")
    /// It is shown at once, as usual.
    public static let active = InterruptionLevel(rawValue: "active")
    /// It is shown through a Focus and the scheduled summary.
    public static let timeSensitive = InterruptionLevel(rawValue: "time-sensitive")
    /// It is shown and heard even when the device is silenced.
    public static let critical = InterruptionLevel(rawValue: "critical")
}
