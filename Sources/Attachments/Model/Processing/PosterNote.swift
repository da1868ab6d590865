/// Manifest note of a movie published without a poster frame.
package enum PosterNote {
    private static let prefix = "no poster frame: "

    package static func missing(_ reason: String) -> String { prefix + reason }

    /// True for a poster note, which a later poster frame makes obsolete.
    package static func matches(_ note: String) -> Bool { note.hasPrefix(prefix) }
}
