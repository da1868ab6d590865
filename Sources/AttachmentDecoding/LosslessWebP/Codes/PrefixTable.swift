/// Where the decoding table of one prefix code lies among the entries of a `PrefixCodePool`.
///
/// An entry has the symbol in its upper 12 bits (the largest is 24 + 256 + 2048 − 1) and the length
/// of its code in the lower 4. The first level is as wide as the longest code, `rootBits` at most.
/// Where codes are longer, an entry links to a second level: its lower bits have the longest length
/// of the codes there, which is above `rootBits`, and its upper bits the place of that level.
struct PrefixTable {
    /// The width of the first level, in bits: that of libwebp's tables, which keeps those of a group
    /// in 3 KB and the time beside libwebp's (48 megapixels in 0.7 times that of dwebp).
    static let rootBits = 8
    /// The longest code (RFC 9649, section 3.7.2.1), in bits.
    static let longestLength = 15

    /// The index of the first entry in the upper 28 bits, the width of the first level below.
    private let packed: UInt32

    init(start: Int, width: Int) {
        packed = UInt32(truncatingIfNeeded: start << 4 | width)
    }

    /// The index of the first entry.
    @inline(__always)
    var start: Int { Int(packed >> 4) }

    /// Of the bits that choose among the first level.
    @inline(__always)
    var mask: UInt64 { (1 &<< UInt64(packed & 15)) &- 1 }

    /// Whether the only symbol of the code takes no bits.
    var isSingle: Bool { packed & 15 == 0 }
}

/// The five codes that a pixel is coded with (RFC 9649, section 3.7.1).
struct PrefixCodeGroup {
    /// Green, the lengths of back-references, and places of the colour cache.
    var green: PrefixTable
    /// Red.
    var red: PrefixTable
    /// Blue.
    var blue: PrefixTable
    /// Alpha.
    var alpha: PrefixTable
    /// The distances of back-references.
    var distance: PrefixTable

    /// The values that green takes: those of a channel, 24 of lengths, and the colour cache's.
    ///
    /// - Parameter cacheBits: The size of the colour cache, in bits; 0 when there is none.
    /// - Returns: How many there are.
    static func greenAlphabet(cacheBits: Int) -> Int {
        256 + 24 + (cacheBits > 0 ? 1 << cacheBits : 0)
    }

    /// The values of a channel.
    static let channelAlphabet = 256
    /// The prefixes of distances.
    static let distanceAlphabet = 40
    /// The largest alphabet, that of green with a colour cache of 11 bits.
    static let largestAlphabet = 256 + 24 + 2048
}
