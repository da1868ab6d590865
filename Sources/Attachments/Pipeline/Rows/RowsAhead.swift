import AttachmentFormats
import AttachmentModel
import AttachmentPlanning

/// Rows that a second thread decodes while the ones before are converted and resampled.
///
/// The rows and the fault are those of the source.
final class RowsAhead: PlaneRows {
    let layout: PlaneLayout
    let profile: [UInt8]?
    let tags: ColourTags?
    let notes: [String]
    private let ring: RowRing
    private var ending: Result<Void, DecodingFault>?

    /// Starts the thread, which alone uses the source from now on; nil if that is impossible.
    init?(_ source: any PlaneRows) {
        (layout, profile, tags, notes) = (source.layout, source.profile, source.tags, source.notes)
        ring = RowRing(source)
        guard ring.start() else { return nil }
    }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        if let ending {
            try ending.get()
            return false
        }
        let buffer = ring.next()
        buffer.forEach(row)
        ending = buffer.ending
        // The call after the last rows ends the picture, as the source does.
        return true
    }

    deinit { ring.end() }
}
