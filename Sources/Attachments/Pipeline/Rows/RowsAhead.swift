import AttachmentFormats
import AttachmentModel
import AttachmentPlanning

/// Rows that a second thread decodes while the ones before are converted and resampled.
///
/// The rows and the fault are those of the source. A call passes on one row, because a reader may
/// hold the rows of a call, as the conversion to RGB does.
final class RowsAhead: PlaneRows {
    let layout: PlaneLayout
    let profile: [UInt8]?
    let tags: ColourTags?
    let notes: [String]
    private let ring: RowRing
    /// The buffer being read.
    private var buffer: RowBuffer?

    /// Starts the thread, which alone uses the source from now on; nil if that is impossible.
    init?(_ source: any PlaneRows) {
        (layout, profile, tags, notes) = (source.layout, source.profile, source.tags, source.notes)
        ring = RowRing(source)
        guard ring.start() else { return nil }
    }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        while true {
            if let buffer {
                if buffer.readNext(row) { return true }
                if let ending = buffer.ending {
                    try ending.get()
                    return false
                }
            }
            buffer = ring.next()
        }
    }

    deinit { ring.end() }
}
