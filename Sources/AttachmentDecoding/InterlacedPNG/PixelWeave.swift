/// Puts the pixels of two rows in turns: of the one the first, third, fifth …, of the other the
/// rest.
struct PixelWeave {
    private let bitsPerPixel: Int

    /// Makes a weave.
    ///
    /// - Parameter bitsPerPixel: 1, 2, 4, 8, 16, 24, 32, 48 or 64.
    init(bitsPerPixel: Int) { self.bitsPerPixel = bitsPerPixel }

    /// Weaves a row.
    ///
    /// Every row has `RowBuffer.padding` bytes more, which are read and written.
    ///
    /// - Parameters:
    ///   - even: Has the first pixel.
    ///   - odd: Has the second pixel; may be the same, which doubles every pixel.
    ///   - row: Is written, and is none of the two.
    ///   - width: Pixels of the woven row.
    @inline(never)
    func weave(
        _ even: UnsafePointer<UInt8>, _ odd: UnsafePointer<UInt8>,
        into row: UnsafeMutablePointer<UInt8>, width: Int
    ) {
        switch bitsPerPixel {
        case 1, 2, 4: weaveBits(even, odd, into: row, width)
        case 8: weave(even, odd, into: row, width, of: UInt8.self, step: 1)
        case 16: weave(even, odd, into: row, width, of: UInt16.self, step: 2)
        case 24: weave(even, odd, into: row, width, of: UInt32.self, step: 3)
        case 32: weave(even, odd, into: row, width, of: UInt32.self, step: 4)
        case 48: weave(even, odd, into: row, width, of: UInt64.self, step: 6)
        default: weave(even, odd, into: row, width, of: UInt64.self, step: 8)
        }
    }

    /// Pixels of whole bytes: words of at least as many are copied in ascending order, so that what
    /// a word has beyond its pixel is overwritten by the next one, or lies in the padding.
    @inline(__always)
    private func weave<Word: FixedWidthInteger>(
        _ even: UnsafePointer<UInt8>, _ odd: UnsafePointer<UInt8>,
        into row: UnsafeMutablePointer<UInt8>, _ width: Int, of word: Word.Type, step: Int
    ) {
        let (even, odd) = (UnsafeRawPointer(even), UnsafeRawPointer(odd))
        let row = UnsafeMutableRawPointer(row)
        for pair in 0..<(width / 2) {
            let (first, second) = (
                even.loadUnaligned(fromByteOffset: pair * step, as: Word.self),
                odd.loadUnaligned(fromByteOffset: pair * step, as: Word.self)
            )
            row.storeBytes(of: first, toByteOffset: 2 * pair * step, as: Word.self)
            row.storeBytes(of: second, toByteOffset: (2 * pair + 1) * step, as: Word.self)
        }
        if width % 2 == 1 {
            let last = even.loadUnaligned(fromByteOffset: width / 2 * step, as: Word.self)
            row.storeBytes(of: last, toByteOffset: (width - 1) * step, as: Word.self)
        }
    }

    /// Several pixels in a byte, the first in the high bits (7.2): one byte of each row makes two.
    private func weaveBits(
        _ even: UnsafePointer<UInt8>, _ odd: UnsafePointer<UInt8>,
        into row: UnsafeMutablePointer<UInt8>, _ width: Int
    ) {
        let bits = bitsPerPixel
        let pairs = ((width + 1) / 2 * bits + 7) / 8
        for index in 0..<pairs {
            let woven = spread(even[index], bits) << UInt16(bits) | spread(odd[index], bits)
            row[2 * index] = UInt8(truncatingIfNeeded: woven >> 8)
            row[2 * index + 1] = UInt8(truncatingIfNeeded: woven)
        }
    }

    /// Moves pixels apart, so that as many bits come to stand in front of each as it has.
    @inline(__always)
    private func spread(_ byte: UInt8, _ bits: Int) -> UInt16 {
        var pixels = UInt16(byte)
        pixels = (pixels | pixels << 4) & 0x0F0F
        if bits <= 2 { pixels = (pixels | pixels << 2) & 0x3333 }
        if bits == 1 { pixels = (pixels | pixels << 1) & 0x5555 }
        return pixels
    }
}
