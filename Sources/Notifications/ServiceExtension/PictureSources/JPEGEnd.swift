package import Foundation

/// Finds the end of a JPEG while its bytes arrive (ITU-T T.81, B.1).
///
/// A segment is passed over by its length, so that the end of a picture in Exif is not taken for the end
/// of the file.
package struct JPEGEnd: Sendable {
    /// The state of the bytes so far.
    package enum Progress: Sendable {
        /// No JPEG, or one with invalid markers.
        case otherFormat
        /// A JPEG, or its first byte, without an end.
        case unfinished
        /// A JPEG with its end.
        case whole
    }

    private enum State {
        /// Before SOI, whose two bytes begin a file.
        case start
        /// Before the first byte of a marker.
        case prefix
        /// Before the second byte of a marker, which fill bytes of 0xFF may precede.
        case code
        /// Before the length of a segment: its two bytes.
        case length, lengthEnd(high: Int)
        /// Within a segment.
        case segment(left: Int)
        /// Within the entropy-coded data of a scan, and after a byte of 0xFF there.
        case scan, scanCode
        case ended, invalid
    }

    private var state = State.start
    private var isScanHead = false
    private var hasScan = false
    /// Number of bytes that were added, up to the end.
    private var count = 0

    /// Creates a finder at the start of a file.
    package init() {}

    /// The state of the bytes so far.
    package var progress: Progress {
        switch state {
        case .ended: .whole
        case .invalid: .otherFormat
        case .start where count == 0: .otherFormat
        default: .unfinished
        }
    }

    /// The length up to the end, in bytes; nil without one.
    package var length: Int? { progress == .whole ? count : nil }

    /// Adds the next bytes.
    package mutating func add(_ bytes: Data) {
        // Within the call the buffer is the data's; a collection of slices takes 40 ns a byte.
        bytes.withUnsafeBytes { add($0) }
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var position = 0
        while position < bytes.count {
            let start = position
            switch state {
            case .ended, .invalid: return
            case .segment(let left):
                position += min(left, bytes.count - position)
                count += position - start
                state = .segment(left: left - (position - start))
                if left == position - start { endSegment() }
            case .scan:
                while position < bytes.count, bytes[position] != 0xFF { position += 1 }
                count += position - start
                guard position < bytes.count else { return }
                take(0xFF)
                position += 1
            default:
                take(bytes[position])
                position += 1
            }
        }
    }

    private mutating func take(_ byte: UInt8) {
        let position = count
        count += 1
        switch state {
        case .start:
            if byte != (position == 0 ? 0xFF : 0xD8) {
                state = .invalid
            } else if position == 1 {
                state = .prefix
            }
        case .prefix: state = byte == 0xFF ? .code : .invalid
        case .code: takeMarker(byte)
        case .length: state = .lengthEnd(high: Int(byte))
        case .lengthEnd(let high):
            // The length counts its own two bytes.
            let left = high << 8 + Int(byte) - 2
            state = left < 0 ? .invalid : .segment(left: left)
            if left == 0 { endSegment() }
        case .scan: state = .scanCode
        case .scanCode:
            switch byte {
            // A stuffed zero, and RST0 to RST7, are data of the scan.
            case 0x00, 0xD0...0xD7: state = .scan
            default: takeMarker(byte)
            }
        case .segment, .ended, .invalid: break
        }
    }

    /// Takes the second byte of a marker (T.81, table B.1).
    private mutating func takeMarker(_ code: UInt8) {
        switch code {
        case 0xFF: break
        // EOI before any scan ends no picture.
        case 0xD9: state = hasScan ? .ended : .invalid
        case 0x00, 0xD8: state = .invalid
        // TEM and RSTn have no length.
        case 0x01, 0xD0...0xD7: state = .prefix
        default:
            isScanHead = code == 0xDA
            state = .length
        }
    }

    private mutating func endSegment() {
        if isScanHead { hasScan = true }
        state = isScanHead ? .scan : .prefix
    }
}
