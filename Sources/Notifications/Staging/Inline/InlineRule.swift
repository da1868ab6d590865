/// Rules for pictures inside payloads.
public enum InlineRule: String, Sendable, Codable, CaseIterable {
    /// No payload gets one.
    case never
    /// A payload gets one if its note leaves enough bytes for a picture that shows something, and a worker
    /// is free for it.
    case ifRoom = "if-room"
    /// Every payload gets one; other fields of the note give way. A payload without one is reported.
    case always
    /// Every payload gets one in place of a published rendition; the picture's location stays.
    case only

    /// True if a payload without a picture inside is less than requested.
    var isRequired: Bool { self == .always || self == .only }

    /// Bytes of a picture that shows something.
    ///
    /// With 600 bytes at 180 pixels, 35 of 100 photographs have an SSIMULACRA2 of 30 and more, which is a
    /// good thumbnail; the median is 23 (`make inline`).
    static let usefulBytes = 600

    /// Fewest bytes of a picture; few pictures have less than 128 at the coarsest quantiser.
    var fewestBytes: Int { isRequired ? 128 : Self.usefulBytes }
}
