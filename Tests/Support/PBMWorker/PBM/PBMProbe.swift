import AttachmentContainer
import AttachmentFormats
import AttachmentModel

extension PictureFormat {
    /// Packed portable bitmap, `P4` (netpbm's pbm(5)).
    static let pbm = PictureFormat("P4\n", probe: PBMProbe.header)
}

/// Reads a PBM header: `P4`, the width and the height, each followed by one blank.
enum PBMProbe {
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        var offset = 3
        let width = try number(reader, at: &offset)
        let height = try number(reader, at: &offset)
        return AttachmentHeader(
            PBMCoding(start: offset), storedSize: try PixelSize(claimed: width, height),
            colourModel: .grey, bitsPerSample: 1, fileBytes: ByteCount(reader.length))
    }

    /// Decimal number of at most nine digits and the blank behind it.
    private static func number(
        _ reader: BoundedReader, at offset: inout Int
    ) throws(HeaderFault) -> Int {
        var number = 0
        for _ in 0..<10 {
            let byte = try reader.byte(at: offset)
            offset += 1
            switch byte {
            case 0x30...0x39: number = number * 10 + Int(byte - 0x30)
            case 0x20, 0x0A: return number
            default: throw .corrupt("a PBM header without a size", at: offset - 1)
            }
        }
        throw .corrupt("a PBM header without a size", at: offset)
    }
}
