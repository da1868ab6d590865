/// Arithmetic on the four channels of a pixel at once, each in its byte.
extension UInt32 {
    private static let evenBytes: UInt32 = 0x00FF_00FF
    private static let oddBytes: UInt32 = 0xFF00_FF00

    /// The sum of each channel, without carry.
    @inline(__always)
    func addingChannels(_ other: UInt32) -> UInt32 {
        ((self & Self.oddBytes) &+ (other & Self.oddBytes)) & Self.oddBytes
            | ((self & Self.evenBytes) &+ (other & Self.evenBytes)) & Self.evenBytes
    }

    /// The average of each channel, rounded down.
    @inline(__always)
    func averagingChannels(_ other: UInt32) -> UInt32 {
        (((self ^ other) & 0xFEFE_FEFE) &>> 1) &+ (self & other)
    }

    /// The channels in 16 bits each.
    @inline(__always)
    var channels: SIMD4<Int16> {
        SIMD4<Int16>(truncatingIfNeeded: unsafeBitCast(self, to: SIMD4<UInt8>.self))
    }

    /// Joins channels of which only the lower 8 bits count.
    @inline(__always)
    init(channels: SIMD4<Int16>) {
        self = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: channels), to: UInt32.self)
    }
}

extension SIMD4<Int16> {
    /// Each channel, brought between 0 and 255.
    @inline(__always)
    var clampedToBytes: Self { clamped(lowerBound: .zero, upperBound: Self(repeating: 255)) }

    /// Each channel's distance from 0; channels are differences of bytes.
    @inline(__always)
    var magnitudes: Self { pointwiseMax(self, .zero &- self) }
}
