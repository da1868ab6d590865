/// Interleaves the pixels of two rows: even positions from one row, odd positions from the other.
struct PixelWeave {
    /// 1, 2, 4, 8, 16, 24, 32, 48 or 64.
    let bitsPerPixel: Int

    /// The output row must not alias the inputs, which may be the same row; all need
    /// `RowBuffer.padding`, which is read and written.
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

    /// Copies words in ascending order: the next copy or the padding takes the excess of a word.
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

    /// Interleaves pixels of less than a byte, the first one in the high bits (7.2).
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

    @inline(__always)
    private func spread(_ byte: UInt8, _ bits: Int) -> UInt16 {
        var pixels = UInt16(byte)
        pixels = (pixels | pixels << 4) & 0x0F0F
        if bits <= 2 { pixels = (pixels | pixels << 2) & 0x3333 }
        if bits == 1 { pixels = (pixels | pixels << 1) & 0x5555 }
        return pixels
    }
}
