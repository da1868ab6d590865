/// Names that must be identical in all three targets.
///
/// The App Group is also in each target's entitlements. The category is also in the content extension's
/// Info.plist and in every payload. `thimble check` compares them.
nonisolated enum Messenger {
    /// The App Group that passes pictures to the content extension and the app.
    static let appGroup = "group.example.messenger"
    /// The category of messages with a picture.
    static let category = "message"
}
