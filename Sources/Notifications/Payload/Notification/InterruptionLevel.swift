/// The urgency of a notification, from `aps.interruption-level`.
public struct InterruptionLevel: RawRepresentable, Sendable, Hashable {
    /// The value in the payload.
    public let rawValue: String

    /// Creates a level, known or unknown, from its value in a payload.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Adds the notification to the list without lighting the screen.
    public static let passive = InterruptionLevel(rawValue: "passive")
    /// Presents the notification immediately, as usual.
    public static let active = InterruptionLevel(rawValue: "active")
    /// Presents the notification despite a Focus or the scheduled summary.
    public static let timeSensitive = InterruptionLevel(rawValue: "time-sensitive")
    /// Presents the notification and plays its sound even on a silenced device.
    public static let critical = InterruptionLevel(rawValue: "critical")
}
