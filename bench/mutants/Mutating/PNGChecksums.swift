/// Checksums of PNG chunks: PNG specification, third edition, annex D.
enum PNGChecksums {
    /// Corrects the checksum of every complete chunk.
    static func correct(_ bytes: inout [UInt8]) {
        let reader = PieceReader(bytes: bytes)
        var place = 8
        while let count = reader.big(place, 4), place + 12 + count <= bytes.count {
            let checksum = Self.checksum(bytes[place + 4..<place + 8 + count])
            for index in 0..<4 {
                bytes[place + 8 + count + index] = UInt8(
                    truncatingIfNeeded: checksum >> UInt32(24 - 8 * index))
            }
            place += 12 + count
        }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}
