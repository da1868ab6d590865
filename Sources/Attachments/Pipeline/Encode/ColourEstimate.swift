import AttachmentContainer
import Foundation

/// An estimate of the number of different colours in a picture, never more than its pixels.
///
/// Linear counting (Whang, Vander-Zanden and Taylor 1990): hashes of colours set bits of a map, and the
/// share of zeros tells the number. Up to 3 million colours it is within a few percent.
struct ColourEstimate {
    let count: Int

    private static let bits = 1 << 19
    /// For the error of the estimate.
    private static let margin = 1.05

    init(of pixels: consuming PackedPixels) {
        var map = [UInt64](repeating: 0, count: Self.bits / 64)
        let size = pixels.size
        for y in 0..<size.height {
            pixels.forEach(in: y) { pixel in
                let hash = Self.hash(pixel)
                map[Int(hash >> 6)] |= 1 << UInt64(hash & 63)
            }
        }
        let zeros = map.reduce(0) { $0 + (~$1).nonzeroBitCount }
        guard zeros > 0 else {
            count = size.pixelCount
            return
        }
        let bits = Double(Self.bits)
        let estimate = bits * log(bits / Double(zeros))
        count = min(size.pixelCount, Int((estimate * Self.margin).rounded(.up)))
    }

    /// The upper 19 bits of a hash with full avalanche (MurmurHash3's finaliser).
    private static func hash(_ pixel: UInt32) -> UInt32 {
        var hash = pixel
        hash = (hash ^ hash >> 16) &* 0x85EB_CA6B
        hash = (hash ^ hash >> 13) &* 0xC2B2_AE35
        return (hash ^ hash >> 16) >> 13
    }
}
