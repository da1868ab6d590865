/// The colours that the indices of a picture stand for (GIF89a, sections 19 and 21).
///
/// There are always 256, so that every index has one: those that a shorter table leaves out are
/// black and transparent, as libnsgif leaves them.
struct GIFColourTable: Sendable {
    /// The colours: red in the lowest byte, then green, blue, and alpha, which is 255 for all that
    /// the file gives.
    private(set) var colours: [UInt32]
    /// How many of them the file gives, or the default table has; 2 to 256.
    let count: Int

    /// Makes the table of a file that gives none: black and white, as libnsgif has it.
    ///
    /// The specification leaves the choice to the decoder (section 18, global colour table flag).
    init() {
        count = 2
        colours = [UInt32](repeating: 0, count: 256)
        colours[0] = Self.opaque
        colours[1] = .max
    }

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - window: The file, at the first colour.
    ///   - flags: The packed fields that announce the table; their lowest three bits are the size.
    /// - Throws: `DecodingFault` with code `truncated` or `unreadable`.
    init(_ window: inout FileWindow, flags: UInt8) throws(DecodingFault) {
        count = 2 << Int(flags & 7)
        colours = [UInt32](repeating: 0, count: 256)
        for index in 0..<count {
            let (red, green) = (try window.readGIFByte(), try window.readGIFByte())
            let blue = try window.readGIFByte()
            colours[index] =
                Self.opaque | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
        }
    }

    /// The pixels that indices stand for where there is nothing below them.
    ///
    /// - Parameter transparentIndex: The index that leaves a pixel as it is; nil when none does.
    /// - Returns: 256 pixels; that of the transparent index is zero.
    func pixels(transparentIndex: UInt8?) -> [UInt32] {
        var pixels = colours
        if let transparentIndex { pixels[Int(transparentIndex)] = 0 }
        return pixels
    }

    private static let opaque: UInt32 = 0xFF00_0000
}
