/// Subtract-green transform (RFC 9649, section 3.5.3).
enum SubtractGreen {
    /// May change the padding after the row.
    static func undo(_ row: PixelRow, width: Int) {
        let lower = SIMD4<UInt32>(repeating: 0x00FF_00FF)
        let green = SIMD4<UInt32>(repeating: 0x0000_00FF)
        let base = UnsafeMutableRawPointer(row.pixels)
        for offset in stride(from: 0, to: width * 4, by: 16) {
            let word = base.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt32>.self)
            let greens = (word &>> 8) & green
            let sum = (word & lower) &+ (greens | greens &<< 16)
            base.storeBytes(
                of: word & ~lower | sum & lower, toByteOffset: offset, as: SIMD4<UInt32>.self)
        }
    }
}
