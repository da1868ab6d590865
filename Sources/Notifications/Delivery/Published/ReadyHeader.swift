import AttachmentContainer
import AttachmentModel

/// Header of a picture that a content extension can show as it is, read without decoding.
///
/// Baseline or sequential JPEGs of eight bits, grey or YCbCr, and PNGs of at most eight bits that
/// are not interlaced: system decoders hold a few rows of them besides the picture. A picture with
/// Exif or XMP is excluded, since it may have to be turned.
struct ReadyHeader {
    let type: RenditionType
    /// Name of the coding, as in a manifest.
    let coding: String
    let size: PixelSize

    /// Nil if the picture is not ready, or its header is invalid.
    init?(of file: AllowedFile) {
        let reader = BoundedReader(OpenFile(descriptor: file.descriptor, length: file.length))
        do throws(HeaderFault) {
            if let size = try Self.sizeOfJPEG(reader) {
                (type, coding, self.size) = (.jpeg, "baseline", size)
            } else if let size = try Self.sizeOfPNG(reader) {
                (type, coding, self.size) = (.png, "sequential", size)
            } else {
                return nil
            }
        } catch {
            return nil
        }
        guard size.width > 0, size.height > 0 else { return nil }
    }

    /// Reads the segments up to the frame header (ITU-T T.81, B.2).
    private static func sizeOfJPEG(_ reader: BoundedReader) throws(HeaderFault) -> PixelSize? {
        guard try reader.prefix(2) == [0xFF, 0xD8] else { return nil }
        var offset = 2
        while try reader.byte(at: offset) == 0xFF {
            let marker = try reader.byte(at: offset + 1)
            if marker == 0xFF {
                // A fill byte.
                offset += 1
                continue
            }
            let length = try reader.word(at: offset + 2)
            switch marker {
            // Sequential coding with Huffman tables: baseline, or with more tables.
            case 0xC0, 0xC1:
                let (precision, components) = (
                    try reader.byte(at: offset + 4), try reader.byte(at: offset + 9)
                )
                guard precision == 8, components == 1 || components == 3 else { return nil }
                return PixelSize(
                    width: try reader.word(at: offset + 7), height: try reader.word(at: offset + 5))
            // Tables, comments, and application data but APP1, which has Exif and XMP.
            case 0xC4, 0xDB, 0xDD, 0xE0, 0xE2...0xEF, 0xFE: offset += 2 + max(2, length)
            default: return nil
            }
        }
        return nil
    }

    /// Reads the header chunk (PNG, 11.2.2).
    private static func sizeOfPNG(_ reader: BoundedReader) throws(HeaderFault) -> PixelSize? {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header: [UInt8] = [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        guard try reader.prefix(16) == signature + header,
            try reader.byte(at: 24) <= 8, try reader.byte(at: 28) == 0
        else { return nil }
        return PixelSize(
            width: try reader.word(at: 16) << 16 | reader.word(at: 18),
            height: try reader.word(at: 20) << 16 | reader.word(at: 22))
    }
}

extension BoundedReader {
    /// Two bytes, big-endian.
    fileprivate func word(at offset: Int) throws(HeaderFault) -> Int {
        Int(try byte(at: offset)) << 8 | Int(try byte(at: offset + 1))
    }
}
