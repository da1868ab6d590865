extension UInt32 {
    private static let evenBytes: UInt32 = 0x00FF_00FF
    private static let oddBytes: UInt32 = 0xFF00_FF00

    @inline(__always)
    func addingChannels(_ other: UInt32) -> UInt32 {
        ((self & Self.oddBytes) &+ (other & Self.oddBytes)) & Self.oddBytes
            | ((self & Self.evenBytes) &+ (other & Self.evenBytes)) & Self.evenBytes
    }

    @inline(__always)
    func averagingChannels(_ other: UInt32) -> UInt32 {
        (((self ^ other) & 0xFEFE_FEFE) &>> 1) &+ (self & other)
    }

    @inline(__always)
    var channels: SIMD4<Int16> {
        SIMD4<Int16>(truncatingIfNeeded: unsafeBitCast(self, to: SIMD4<UInt8>.self))
    }

    @inline(__always)
    init(channels: SIMD4<Int16>) {
        self = unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: channels), to: UInt32.self)
    }
}

extension SIMD4<Int16> {
    @inline(__always)
    var clampedToBytes: Self { clamped(lowerBound: .zero, upperBound: Self(repeating: 255)) }

    @inline(__always)
    var magnitudes: Self { pointwiseMax(self, .zero &- self) }
}
