internal import AttachmentContainer
internal import Foundation

/// Checks of the type and size in a rendition file's first bytes.
enum RenditionHead {
    /// True if a file's signature and size match the rendition; does not move the file's offset.
    static func matches(
        _ descriptor: CInt, _ rendition: RenderedAttachment.Rendition
    ) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        let reader = BoundedReader(descriptor: descriptor, length: Int(status.st_size))
        do throws(HeaderFault) {
            if let media = MediaType(rawValue: rendition.type) {
                return try media.signatures.contains(Signature(reader))
            }
            guard let type = RenditionType(rawValue: rendition.type),
                try Signature(reader) == type.signature
            else { return false }
            return try isSize(rendition.size, of: type, reader)
        } catch {
            return false
        }
    }

    private static func isSize(
        _ size: PixelSize, of type: RenditionType, _ reader: BoundedReader
    ) throws(HeaderFault) -> Bool {
        switch type {
        case .png:
            // PNG signature, chunk length and type, then IHDR (PNG, 11.2.2).
            return try size
                == PixelSize(width: uint32(reader, at: 16), height: uint32(reader, at: 20))
        case .gif:
            // Little-endian (GIF89a, section 18). A large first frame enlarges the canvas.
            let screen = GIFLogicalScreen.plausibleSize(
                Int(try uint16(reader, at: 6).byteSwapped),
                Int(try uint16(reader, at: 8).byteSwapped))
            return size.width >= screen.width && size.height >= screen.height
        case .jpeg:
            return try size == frameSize(reader)
        }
    }

    /// Size from the first frame header of a JPEG (T.81, B.2.2).
    private static func frameSize(_ reader: BoundedReader) throws(HeaderFault) -> PixelSize {
        var offset = 2
        while true {
            // Bytes between segments are skipped, as in libjpeg.
            while try reader.byte(at: offset) != 0xFF { offset += 1 }
            while try reader.byte(at: offset) == 0xFF { offset += 1 }
            let marker = try reader.byte(at: offset)
            offset += 1
            switch marker {
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                return PixelSize(
                    width: Int(try uint16(reader, at: offset + 5)),
                    height: Int(try uint16(reader, at: offset + 3)))
            case 0x00, 0x01, 0xD0...0xD8: continue
            case 0xD9, 0xDA: throw .corrupt("no frame header", at: offset)
            default: offset += max(2, Int(try uint16(reader, at: offset)))
            }
        }
    }

    private static func uint16(
        _ reader: BoundedReader, at offset: Int
    ) throws(HeaderFault) -> UInt16 {
        UInt16(try reader.byte(at: offset)) << 8 | UInt16(try reader.byte(at: offset + 1))
    }

    private static func uint32(
        _ reader: BoundedReader, at offset: Int
    ) throws(HeaderFault) -> Int {
        Int(try uint16(reader, at: offset)) << 16 | Int(try uint16(reader, at: offset + 2))
    }
}

extension RenditionType {
    fileprivate var signature: Signature {
        switch self {
        case .jpeg: .jpeg
        case .png: .png
        case .gif: .gif
        }
    }
}

extension MediaType {
    fileprivate var signatures: Set<Signature> {
        switch self {
        case .aiff: [.aiff]
        case .wav: [.wav]
        case .mp3: [.mp3]
        case .mpeg4, .mpeg4Audio: [.isobmff, .quickTime]
        case .mpeg: [.mpegProgram, .mpegVideo]
        case .mpeg2Video: [.mpegVideo]
        case .avi: [.avi]
        }
    }
}
