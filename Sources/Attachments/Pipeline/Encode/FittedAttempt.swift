import AttachmentContainer
import AttachmentPlanning

/// The attempt that becomes the rendition.
struct FittedAttempt {
    var attempt: EncodingLadder.Attempt
    /// Length of its file.
    var length: ByteCount
    /// The first attempt that the memory allowed.
    let planned: EncodingLadder.Attempt
    /// The end of a note on what was given up.
    let purpose: String

    /// Note on what was given up; nil if nothing was.
    var note: String? {
        // Full chroma is no compromise.
        attempt == planned.withFullChroma ? nil : attempt.note(against: planned, purpose)
    }
}
