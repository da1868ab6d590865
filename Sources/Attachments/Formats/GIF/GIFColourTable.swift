/// Colour table (GIF89a, sections 19 and 21) of 256 entries, so that every index is valid; those
/// beyond a shorter table are transparent black, as in libnsgif.
struct GIFColourTable: Sendable {
    /// Red in the lowest byte, then green, blue and alpha: 255 for colours from the file.
    private(set) var colours: [UInt32]
    let count: Int

    /// Black and white, as in libnsgif; the specification leaves the choice to the decoder (section
    /// 18).
    init() {
        count = 2
        colours = [UInt32](repeating: 0, count: 256)
        colours[0] = Self.opaque
        colours[1] = .max
    }

    /// Reads a table; the lowest three bits of `flags` are its size.
    init(_ window: inout FileWindow, flags: UInt8) throws(DecodingFault) {
        count = 2 << Int(flags & 7)
        colours = [UInt32](repeating: 0, count: 256)
        for index in 0..<count {
            let (red, green) = (try window.readGIFByte(), try window.readGIFByte())
            let blue = try window.readGIFByte()
            colours[index] = Self.opaque | UInt32(blue) << 16 | UInt32(green) << 8 | UInt32(red)
        }
    }

    /// Colours as pixels, where the transparent index is 0.
    func pixels(transparentIndex: UInt8?) -> [UInt32] {
        var pixels = colours
        if let transparentIndex { pixels[Int(transparentIndex)] = 0 }
        return pixels
    }

    private static let opaque: UInt32 = 0xFF00_0000
}
