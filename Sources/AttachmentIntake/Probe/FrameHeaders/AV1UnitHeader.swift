/// The header of an OBU (AV1 bitstream specification, 5.3.2).
package struct AV1UnitHeader {
    /// The type of a sequence header.
    package static let sequence = 1
    /// The type of a frame's header.
    package static let frameHeader = 3
    /// The type of metadata.
    package static let metadata = 5
    /// The type of a frame's header with its tiles behind it.
    package static let frame = 6

    /// The longest header: two bytes, and a payload length of eight.
    package static let longest = 10

    /// The type of the payload (6.2.2).
    package let type: Int
    /// The temporal layer.
    package let temporalLayer: Int
    /// The spatial layer.
    package let spatialLayer: Int
    /// The length of the header, in bytes.
    package let length: Int
    /// The length of the payload, in bytes.
    package let payloadLength: Int

    /// Reads a header; nil where it is invalid, or the payload is longer than what is left.
    ///
    /// - Parameters:
    ///   - bytes: The first bytes of the OBU: `longest`, or all that are left.
    ///   - remaining: The number of bytes from the OBU to the end of the bitstream.
    package init?(_ bytes: some RandomAccessCollection<UInt8>, of remaining: Int) {
        let bytes = Array(bytes.prefix(Self.longest))
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

    /// Reads a number of variable length, leb128 (4.10.5).
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
