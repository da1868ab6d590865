internal import AttachmentContainer
internal import AttachmentModel

/// Places and meaning of the parts of a BMP, from its headers ([MS-WMF] 2.2.2, "Bitmap Storage" of
/// the Windows GDI, and "Bitmap file format" of OS/2).
struct BMPStructure: Sendable, Hashable {
    enum Pixels: Sendable, Hashable {
        /// Indices of 1, 2, 4 or 8 bits.
        case indices
        /// Little-endian numbers of 16, 24 or 32 bits with a mask for each channel.
        case masks(BMPMasks)
        /// Runs of indices of 4 or 8 bits, or of pixels of 24.
        case runs
    }

    var size: PixelSize
    var isTopDown = false
    var bitsPerPixel: Int
    var pixels = Pixels.indices
    /// Offset of the first stored row.
    var dataOffset = 0
    var palette = Palette()
    /// The embedded profile; nil without one, and if it cannot be read.
    var profile: Range<Int>?
    var hasUnreadableProfile = false

    /// Longest side, in pixels: a row, or the index of run-length coded rows, stays below 8 MB.
    static let longestSide = 1 << 20

    struct Palette: Sendable, Hashable {
        var offset = 0
        /// Blue, green and red, and except in OS/2's first version a reserved byte.
        var entryBytes = 4
        var count = 0
    }

    /// Bytes from one stored row to the next: rows are padded to 32 bits.
    var stride: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }
    /// Bytes of a stored row without its padding.
    var usedBytes: Int { (size.width * bitsPerPixel + 7) / 8 }

    var hasAlpha: Bool {
        if case .masks(let masks) = pixels { masks.alpha != 0 } else { false }
    }

    /// Length of a file that has all its pixels; nil for runs, whose length is unknown.
    var requiredLength: Int? {
        pixels == .runs ? nil : dataOffset + stride * (size.height - 1) + usedBytes
    }
}

/// Bits of each channel in a pixel; 0 for a channel without bits.
struct BMPMasks: Sendable, Hashable {
    var red: UInt32
    var green: UInt32
    var blue: UInt32
    var alpha: UInt32 = 0

    /// Five bits each, of 16-bit pixels without masks.
    static let fiveBits = BMPMasks(red: 0x7C00, green: 0x03E0, blue: 0x1F)
    /// Blue, green and red bytes, of 24-bit and 32-bit pixels without masks.
    static let bytes = BMPMasks(red: 0xFF0000, green: 0xFF00, blue: 0xFF)

    var all: [UInt32] { [red, green, blue, alpha] }

    /// The masks, limited to the bits of a pixel.
    func limited(to bits: Int) -> BMPMasks {
        let pixel = UInt32.max >> UInt32(32 - bits)
        return BMPMasks(
            red: red & pixel, green: green & pixel, blue: blue & pixel, alpha: alpha & pixel)
    }

    /// True if the bits of each channel are adjacent and at least one colour has bits.
    var isValid: Bool {
        red | green | blue != 0
            && all.allSatisfy {
                $0 == 0
                    || $0.leadingZeroBitCount + $0.nonzeroBitCount + $0.trailingZeroBitCount == 32
            }
    }
}
