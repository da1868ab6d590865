internal import AttachmentContainer

/// Corrections of a JPEG's faults that lose no pixel.
///
/// libvips cannot tell libjpeg's warnings apart. After these corrections all of them are about
/// damage. ``HarmlessFault`` lists the faults.
final class JPEGMending {
    private let components: Int
    /// True if one scan has all blocks: the decoder then notices if more than the end is missing.
    private let isBaseline: Bool
    private let notes: DecodingNotes
    private var isSequential = false
    private var hasJFIF = false
    private var isInScan = false
    /// Restart markers of the scan so far.
    private var restarts: UInt8 = 0

    init(components: Int, isBaseline: Bool, notes: DecodingNotes) {
        (self.components, self.isBaseline, self.notes) = (components, isBaseline, notes)
    }

    /// True outside of scans.
    func dropsStrayBytes() -> Bool {
        if !isInScan { notes.add(.strayBytes) }
        return !isInScan
    }

    /// Follows the scans; returns the restart marker that replaces one with another number.
    func restart(_ marker: UInt8) -> UInt8? {
        guard JPEGMarker.restarts.contains(marker) else {
            // Stuffed zeros and undefined markers do not end a scan.
            if marker >= JPEGMarker.baselineFrame { isInScan = false }
            return nil
        }
        let expected = JPEGMarker.restarts.lowerBound + restarts
        guard isInScan else { return nil }
        restarts = (restarts + 1) & 7
        guard marker != expected else { return nil }
        notes.add(.restartOrder)
        return expected
    }

    /// True for segments that ``mend(_:of:)`` may change, or that it must know.
    func concerns(_ marker: UInt8) -> Bool {
        [0xE0, 0xEE, JPEGMarker.startOfScan].contains(marker) || JPEGMarker.isFrame(marker)
    }

    /// Corrects the body of a segment; false if it is right.
    func mend(_ body: inout [UInt8], of marker: UInt8) -> Bool {
        switch marker {
        case JPEGMarker.startOfScan: return mendScan(&body)
        case 0xE0: return mendJFIF(&body)
        case 0xEE: return mendAdobe(&body)
        default:
            // SOF0, SOF1 and SOF9, the same with arithmetic coding.
            isSequential = [0xC0, 0xC1, 0xC9].contains(marker)
            return false
        }
    }

    /// End marker of a file that has none, after a scan.
    func end() -> [UInt8]? {
        guard isBaseline, isInScan else { return nil }
        isInScan = false
        notes.add(.missingEnd)
        return [0xFF, JPEGMarker.endOfImage]
    }

    private func mendScan(_ body: inout [UInt8]) -> Bool {
        (isInScan, restarts) = (true, 0)
        let sequential: [UInt8] = [0, 63, 0]
        guard isSequential, body.count >= 6, Array(body.suffix(3)) != sequential else {
            return false
        }
        notes.add(.scanParameters)
        body.replaceSubrange(body.count - 3..<body.count, with: sequential)
        return true
    }

    /// T.871, 10.1: identifier, then the version, whose first number is 1.
    private func mendJFIF(_ body: inout [UInt8]) -> Bool {
        guard body.starts(with: "JFIF\0".utf8), body.count >= 14 else { return false }
        hasJFIF = true
        guard body[5] != 1 else { return false }
        notes.add(.jfifVersion)
        body.replaceSubrange(5..<7, with: [1, 2])
        return true
    }

    /// T.872, 6.5.3: the last byte is the transform, 0 or 1 of three components, 0 or 2 of four.
    private func mendAdobe(_ body: inout [UInt8]) -> Bool {
        guard body.starts(with: "Adobe".utf8), body.count >= 12, components >= 3,
            components == 4 || !hasJFIF
        else { return false }
        let transform: UInt8 = components == 4 ? 2 : 1
        guard ![0, transform].contains(body[11]) else { return false }
        notes.add(.adobeTransform)
        body[11] = transform
        return true
    }
}
