import AttachmentModel

/// Colour description of an item, as code points of ISO/IEC 23091-2.
package struct ItemColours: Hashable, Sendable {
    /// Colour primaries (8.1).
    package let primaries: Int
    /// Transfer characteristics (8.2).
    package let transfer: Int
    /// Matrix coefficients (8.3).
    package let matrix: Int
    /// True for full range, false for video range.
    package let isFullRange: Bool

    /// Parses a `colr` box of type `nclx` after its type (ISO/IEC 14496-12, 12.1.5).
    init(_ payload: inout Cursor) throws(HeaderFault) {
        primaries = Int(try payload.uint16())
        transfer = Int(try payload.uint16())
        matrix = Int(try payload.uint16())
        isFullRange = try payload.uint8() & 0x80 != 0
    }
}
