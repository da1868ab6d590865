/// OBU header (AV1 bitstream specification, 5.3.2).
struct AV1UnitHeader {
    static let sequence = 1
    static let frameHeader = 3
    static let metadata = 5
    static let frame = 6

    /// Maximum header length: two bytes, and eight for the payload length.
    static let longest = 10

    let type: Int
    let temporalLayer: Int
    let spatialLayer: Int
    let length: Int
    let payloadLength: Int

    init?(_ bytes: [UInt8], of remaining: Int) {
        guard let first = bytes.first, first & 0x80 == 0 else { return nil }
        type = Int(first >> 3 & 15)
        var length = 1
        var layers: UInt8 = 0
        if first & 4 != 0 {
            guard bytes.count > 1 else { return nil }
            layers = bytes[1]
            length = 2
        }
        temporalLayer = Int(layers >> 5)
        spatialLayer = Int(layers >> 3 & 3)
        if first & 2 != 0 {
            guard let size = Self.size(bytes, &length), size <= remaining - length else {
                return nil
            }
            payloadLength = size
        } else {
            payloadLength = remaining - length
        }
        self.length = length
    }

    /// Reads a variable-length number, leb128 (4.10.5).
    private static func size(_ bytes: [UInt8], _ index: inout Int) -> Int? {
        var value = 0
        for group in 0..<8 {
            guard index < bytes.count else { return nil }
            let byte = bytes[index]
            index += 1
            value |= Int(byte & 0x7F) << (7 * group)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
