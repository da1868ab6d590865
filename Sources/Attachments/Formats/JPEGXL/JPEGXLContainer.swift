internal import AttachmentModel

/// Parts of a JPEG XL file: a bare codestream, or boxes around it (ISO/IEC 18181-2).
struct JPEGXLContainer {
    /// Codestream bytes in order, clamped to the file.
    private(set) var codestream: [Range<Int>] = []
    /// The data that rebuild a JPEG (`jbrd`), of which the codestream holds the coefficients; nil without.
    private(set) var jpeg: Range<Int>?
    private(set) var hasMetadata = false

    /// Real files have ten; the header is in the first ones.
    private static let maximumBoxes = 1024

    init(_ reader: BoundedReader) throws(HeaderFault) {
        guard try reader.byte(at: 0) == 0 else {
            codestream = [0..<reader.length]
            return
        }
        var offset = 0
        for _ in 0..<Self.maximumBoxes {
            var cursor = Cursor(reader, from: offset)
            guard cursor.remaining >= 8 else { break }
            var size = Int(try cursor.uint32())
            let type = try cursor.fourCC()
            switch size {
            case 0: size = reader.length - offset
            case 1: size = Int(clamping: try cursor.uint64())
            default: break
            }
            let headerBytes = cursor.offset - offset
            guard size >= headerBytes else { throw .corrupt("a box of \(size) bytes", at: offset) }
            let end = offset + min(size, reader.length - offset)
            take(type, cursor.offset..<end)
            offset = end
        }
        guard !codestream.isEmpty else {
            // Shorter than the header of a box.
            guard reader.length - offset >= 8 else { throw .truncated(at: reader.length) }
            throw .corrupt("a JPEG XL without a codestream", at: 0)
        }
    }

    private mutating func take(_ type: FourCC, _ payload: Range<Int>) {
        switch type {
        case "jxlc": codestream.append(payload)
        case "jxlp":
            // Its number comes first.
            codestream.append(min(payload.lowerBound + 4, payload.upperBound)..<payload.upperBound)
        case "jbrd": jpeg = payload
        case "Exif", "xml ", "jumb", "brob": hasMetadata = true
        default: break
        }
    }
}
