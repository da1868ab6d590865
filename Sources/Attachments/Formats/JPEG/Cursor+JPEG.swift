internal import AttachmentModel

extension Cursor {
    /// Skips fill bytes (T.81, B.1.1.2) and, as every decoder does, stray bytes.
    mutating func jpegMarker() throws(HeaderFault) -> UInt8 {
        var marker: UInt8 = 0
        while marker == 0 {
            while try uint8() != 0xFF {}
            repeat { marker = try uint8() } while marker == 0xFF
        }
        return marker
    }

    mutating func jpegSegment() throws(HeaderFault) -> Cursor {
        let length = Int(try uint16())
        guard length >= 2 else { throw .corrupt("a segment of \(length) bytes", at: offset - 2) }
        return try take(length - 2)
    }
}
