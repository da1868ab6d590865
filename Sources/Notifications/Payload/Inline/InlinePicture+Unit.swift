extension InlinePicture {
    /// Makes an inline picture of an encoder's output.
    ///
    /// The encoder must write a still of 8 bits with a reduced header, in full range with the code
    /// points 1, 13 and 6, as libaom does for a limit of one frame.
    ///
    /// - Parameter unit: The temporal unit: sequence header and one frame, as in the `mdat` of an AVIF.
    /// - Throws: `InlinePictureError` if the format cannot represent it.
    public init(temporalUnit unit: some Collection<UInt8>) throws(InlinePictureError) {
        let bytes = Array(unit)
        var sequence: AV1Sequence?
        var frame: [UInt8]?
        var next = 0
        while next < bytes.count {
            let (type, content) = try Self.openUnit(in: bytes, at: &next)
            switch type {
            case AV1Unit.sequence: sequence = try AV1Sequence(reading: content)
            case AV1Unit.frame where frame == nil: frame = Array(content)
            case AV1Unit.temporalDelimiter, AV1Unit.padding: break
            default:
                throw InlinePictureError(.notAV1, "it has more than a sequence and a frame")
            }
        }
        guard let sequence, let frame else {
            throw InlinePictureError(.notAV1, "it has no sequence header or no frame")
        }
        guard frame.count <= Self.maximumBytes - Self.headerBytes else {
            throw InlinePictureError(.tooLong, "its frame has \(frame.count) bytes")
        }
        try self.init(
            width: sequence.width, height: sequence.height, sequence.coding, frame: frame)
    }

    /// The temporal unit for a decoder: delimiter, sequence header, frame.
    public var temporalUnit: [UInt8] {
        AV1Unit.bytes(AV1Unit.temporalDelimiter, [])
            + AV1Unit.bytes(AV1Unit.sequence, AV1Sequence(of: self).bytes)
            + AV1Unit.bytes(AV1Unit.frame, frame)
    }

    private static func openUnit(
        in bytes: [UInt8], at next: inout Int
    ) throws(InlinePictureError) -> (type: UInt8, content: ArraySlice<UInt8>) {
        let header = bytes[next]
        next += 1
        // Forbidden bit, extension, size (AV1 specification, 5.3.2).
        guard header & 0b1000_0110 == 0b10 else {
            throw InlinePictureError(.notAV1, "a unit has no size, or an extension")
        }
        var length = 0
        var shift = 0
        while true {
            // Two groups of 7 bits hold more than the longest picture.
            guard next < bytes.count, shift < 21 else {
                throw InlinePictureError(.notAV1, "a unit's size is malformed")
            }
            let byte = bytes[next]
            next += 1
            length |= Int(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 == 0 { break }
        }
        guard length <= bytes.count - next else {
            throw InlinePictureError(.truncated, "a unit ends too early")
        }
        defer { next += length }
        return (header >> 3 & 0xF, bytes[next..<next + length])
    }
}

/// Open bitstream units of AV1 (specification, 5.3 and 6.2.2).
enum AV1Unit {
    static let sequence: UInt8 = 1
    static let temporalDelimiter: UInt8 = 2
    static let frame: UInt8 = 6
    static let padding: UInt8 = 15

    /// A unit with its size, in groups of 7 bits, the lowest first.
    static func bytes(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [type << 3 | 0b10]
        var length = content.count
        while length > 0x7F {
            bytes.append(UInt8(length & 0x7F) | 0x80)
            length >>= 7
        }
        bytes.append(UInt8(length))
        return bytes + content
    }
}
