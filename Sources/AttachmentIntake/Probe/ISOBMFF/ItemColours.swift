/// What the samples of an item mean, as the code points of ISO/IEC 23091-2 say it.
package struct ItemColours: Hashable, Sendable {
    /// Where red, green, blue and white lie (8.1).
    package let primaries: Int
    /// How samples follow light (8.2).
    package let transfer: Int
    /// How luma and chroma come from red, green and blue (8.3).
    package let matrix: Int
    /// Whether samples use all values, else they leave room below and above.
    package let isFullRange: Bool

    /// Reads what follows the type in a `colr` box of type `nclx` (ISO/IEC 14496-12, 12.1.5).
    ///
    /// - Parameter payload: From there on.
    /// - Throws: `corrupt`, `truncated`, `overBudget`, `unreadable`.
    init(_ payload: inout Cursor) throws(HeaderFault) {
        primaries = Int(try payload.uint16())
        transfer = Int(try payload.uint16())
        matrix = Int(try payload.uint16())
        isFullRange = try payload.uint8() & 0x80 != 0
    }
}
