/// Rungs of the ladder of plans for one attachment, best first.
public enum Rung: String, Sendable, Codable, CaseIterable {
    /// All frames of an animation as a GIF, and its best frame as a still.
    case animated
    /// Full size, a few rows at a time.
    case streamed
    /// Full size, with a bounded decoder that holds a few rows instead of the whole picture.
    case bounded
    /// Full size; the decoder holds the whole picture.
    case wholePicture = "whole-picture"
    /// Full size; data held whole lies in a scratch file.
    case fileBacked = "file-backed"
    /// Full size, decoded by a service of the system in its own process (Apple's Quick Look).
    case outOfProcess = "out-of-process"
    /// Smaller than requested, but large enough for the banner.
    case reduced
    /// The camera's embedded preview.
    case preview
}

extension Rung: Comparable {
    /// True if the left rung is better.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }

    /// True if the rendition has the requested size.
    public var isFullSize: Bool { self < .reduced }
}
