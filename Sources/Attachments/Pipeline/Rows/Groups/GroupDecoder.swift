import AttachmentFormats
import AttachmentModel

/// A decoder of groups of rows between the restart markers of a JPEG.
final class GroupDecoder {
    let rows: JPEGPlaneRows
    private let stream: JPEGGroupStream
    private let groups: JPEGRestartGroups
    /// The group that was decoded last.
    private var last: Int?

    /// Reads the header.
    init(
        _ file: AttachmentFile, _ index: JPEGRestartIndex, loadShrink: Int, keepsProfile: Bool
    ) throws(DecodingFault) {
        groups = index.groups
        stream = JPEGGroupStream(file.openFile, index, keepsProfile: keepsProfile)
        // Damage that loses no pixel is noted, and so are markers out of order, which are not damage
        // here.
        rows = try JPEGPlaneRows(
            ByteStream(file, simpler: stream), loadShrink: loadShrink,
            keepsProfile: keepsProfile, .loss)
    }

    /// Goes on with a group, which is after the one before.
    func begin(_ group: Int) {
        stream.choose(group)
        last = group
    }

    /// Decodes a row of units of the group; false after any fault.
    func decode(unitRow: Int, _ row: (Int, UnsafeRawPointer) -> Void) -> Bool {
        rows.place(atUnitRow: unitRow)
        do throws(DecodingFault) {
            return try rows.next(row) && !rows.hasFaults
        } catch {
            return false
        }
    }

    /// Decodes a whole group; false after any fault.
    func decode(_ group: Int, into buffer: RowBuffer) -> Bool {
        begin(group)
        buffer.removeAll()
        for unitRow in groups.unitRows(of: group) {
            var isHeld = true
            let isDecoded = decode(unitRow: unitRow) { plane, row in
                isHeld = buffer.append(plane, row) && isHeld
            }
            guard isDecoded, isHeld else { return false }
        }
        return true
    }

    /// False for stray bytes before any marker, up to the one at the end of the last group.
    ///
    /// No group can be decoded any more.
    func isAtMarker() -> Bool {
        guard let last else { return true }
        if last + 1 < groups.count {
            // libjpeg finds stray bytes when it goes on. Numbered as the last, the row ends the scan.
            begin(last + 1)
            guard decode(unitRow: groups.allUnitRows - 1, { _, _ in }) else { return false }
        }
        return !rows.hasSkippedBytes()
    }
}
