import AttachmentFormats
import AttachmentModel

/// A decoder of groups of rows between the restart markers of a JPEG.
final class GroupDecoder {
    let rows: JPEGPlaneRows
    private let stream: JPEGGroupStream
    private let groups: JPEGRestartGroups
    private var hasBegun = false

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
        hasBegun = true
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
    func isAtMarker() -> Bool { !hasBegun || !rows.hasSkippedBytes() }
}
