/// The note of a movie that is published without a picture of it.
package enum PosterNote {
    private static let beginning = "no poster frame: "

    /// Why there is no picture.
    ///
    /// - Parameter reason: In a few words without a full stop.
    /// - Returns: The note.
    package static func missing(_ reason: String) -> String { beginning + reason }

    /// Whether a note is one of these, which a poster frame makes untrue.
    ///
    /// - Parameter note: A note of a manifest.
    /// - Returns: True when it is.
    package static func isOne(_ note: String) -> Bool { note.hasPrefix(beginning) }
}
