/// Location of a prefix code's decoding table among the entries of a `PrefixCodePool`.
///
/// An entry has the symbol in its upper 12 bits (at most 24 + 256 + 2048 − 1) and the code length
/// in the lower 4. The first level is as wide as the longest code, `rootBits` at most. Longer codes
/// use a second level, which a link entry refers to. A link's upper bits are the location, and its
/// lower bits the longest code length there, which exceeds `rootBits`.
struct PrefixTable {
    /// Width of the first level in bits, as in libwebp; the tables of a group then take 3 KB.
    static let rootBits = 8
    /// Longest code in bits (RFC 9649, section 3.7.2.1).
    static let longestLength = 15

    /// First entry in the upper 28 bits, width of the first level in the lower 4.
    private let packed: UInt32

    init(start: Int, width: Int) {
        packed = UInt32(truncatingIfNeeded: start << 4 | width)
    }

    @inline(__always)
    var start: Int { Int(packed >> 4) }

    @inline(__always)
    var mask: UInt64 { (1 &<< UInt64(packed & 15)) &- 1 }

    var isSingle: Bool { packed & 15 == 0 }
}

/// The five codes of a pixel (RFC 9649, section 3.7.1).
struct PrefixCodeGroup {
    /// Green values, back-reference lengths and colour-cache indices.
    var green: PrefixTable
    var red: PrefixTable
    var blue: PrefixTable
    var alpha: PrefixTable
    var distance: PrefixTable

    /// Channel values, 24 lengths and the colour cache; 0 bits mean no cache.
    static func greenAlphabet(cacheBits: Int) -> Int {
        256 + 24 + (cacheBits > 0 ? 1 << cacheBits : 0)
    }

    static let channelAlphabet = 256
    static let distanceAlphabet = 40
    /// With an 11-bit colour cache.
    static let largestAlphabet = 256 + 24 + 2048
}
