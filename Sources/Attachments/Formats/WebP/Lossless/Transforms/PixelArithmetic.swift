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
}
