/// What all three targets must write alike, letter for letter.
///
/// The App Group stands in the entitlements of each as well, and the category in the content
/// extension's Info.plist and in every payload: `thimble check` compares them.
enum DailyPick {
    /// Where the service extension leaves pictures for the content extension.
    static let appGroup = "group.example.daily-pick"
    /// The category of the notifications that bring a picture.
    static let category = "daily-pick"
    /// The action that keeps the picture.
    static let keep = "keep"
}
