/// Names that must be identical in all three targets.
///
/// The App Group is also in each target's entitlements. The category is also in the content
/// extension's Info.plist and in every payload. `thimble check` compares them. Projects of Xcode 26 would
/// bind them to the main actor, on which no service extension runs.
nonisolated enum DailyPick {
    /// The App Group that passes pictures to the content extension.
    static let appGroup = "group.example.daily-pick"
    /// The category of notifications with a picture.
    static let category = "daily-pick"
    /// The action that keeps the picture.
    static let keep = "keep"
}
