public import ThimbleBasics

/// A setting outside its range.
public struct SettingsError: FaultConvertible, Sendable, Hashable {
    /// Name of the field.
    public let field: String
    /// Allowed values.
    public let range: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - field: The field's name.
    ///   - range: Its allowed values, which follow "must be".
    public init(field: String, range: String) {
        self.field = field
        self.range = range
    }

    /// The field and its range, without a full stop.
    public var description: String { "\(field) must be \(range)" }

    /// The failure, with the code `invalid-settings`.
    public var fault: Fault {
        Fault(
            .settings, "invalid-settings", reason: description,
            remedy: "set \(field) to \(range)")
    }

    package static func check(
        _ holds: Bool, _ field: String, _ range: @autoclosure () -> String
    ) throws(SettingsError) {
        guard holds else { throw SettingsError(field: field, range: range()) }
    }
}
