package import AttachmentContainer
internal import AttachmentModel
internal import Foundation

/// Type and size in the first bytes of a rendition.
package struct RenditionHead {
    package let type: RenditionType
    /// Stated size, in pixels; for a GIF, the screen's size, which a large first frame enlarges.
    package let size: PixelSize

    /// Reads the first bytes of a file without moving its offset; nil for other types.
    package init?(of descriptor: CInt) {
        guard let reader = BoundedReader(of: descriptor) else { return nil }
        do throws(HeaderFault) {
            let bytes = try reader.prefix(BoundedReader.windowBytes)
            let found = RenditionType.allCases.first { type in
                type.signatures.contains { $0.matches(bytes) }
            }
            guard let found else { return nil }
            (type, size) = (found, try Self.size(of: found, reader))
        } catch {
            return nil
        }
    }

    static func matches(_ descriptor: CInt, _ rendition: RenderedAttachment.Rendition) -> Bool {
        if let media = MediaType(rawValue: rendition.type) {
            let bytes = try? BoundedReader(of: descriptor)?.prefix(BoundedReader.windowBytes)
            return media.signatures.contains { $0.matches(bytes ?? []) }
        }
        guard let head = RenditionHead(of: descriptor), head.type.rawValue == rendition.type
        else { return false }
        let (size, stated) = (rendition.size, head.size)
        return head.type == .gif
            ? size.width >= stated.width && size.height >= stated.height : size == stated
    }

    private static func size(
        of type: RenditionType, _ reader: BoundedReader
    ) throws(HeaderFault) -> PixelSize {
        switch type {
        case .png:
            // PNG signature, chunk length and type, then IHDR (PNG, 11.2.2).
            return PixelSize(width: try uint32(reader, at: 16), height: try uint32(reader, at: 20))
        case .gif:
            // Little-endian (GIF89a, section 18).
            let screen = GIFLogicalScreen.plausibleSize(
                Int(try uint16(reader, at: 6).byteSwapped),
                Int(try uint16(reader, at: 8).byteSwapped))
            return PixelSize(width: screen.width, height: screen.height)
        case .jpeg:
            return try frameSize(reader)
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

    private static func uint32(_ reader: BoundedReader, at offset: Int) throws(HeaderFault) -> Int {
        Int(try uint16(reader, at: offset)) << 16 | Int(try uint16(reader, at: offset + 2))
    }
}

extension BoundedReader {
    fileprivate convenience init?(of descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(OpenFile(descriptor: descriptor, length: Int(status.st_size)))
    }
}

extension RenditionType {
    fileprivate var signatures: [BytePattern] {
        switch self {
        case .jpeg: ["\u{FF}\u{D8}"]
        case .png: ["\u{89}PNG\r\n\u{1A}\n"]
        case .gif: ["GIF87a", "GIF89a"]
        }
    }
}

extension MediaType {
    /// First bytes; the worker has checked more of them.
    fileprivate var signatures: [BytePattern] {
        switch self {
        case .aiff: ["FORM????AIFF", "FORM????AIFC"]
        case .wav: ["RIFF????WAVE"]
        // A tag, or a frame of layer III.
        case .mp3:
            ["ID3", "\u{FF}\u{FA}", "\u{FF}\u{FB}", "\u{FF}\u{F2}", "\u{FF}\u{F3}"]
                + ["\u{FF}\u{E2}", "\u{FF}\u{E3}"]
        case .mpeg4, .mpeg4Audio:
            ["????ftyp", "????moov", "\0\0\0\u{8}wide", "\0???mdat"]
        // A pack, or a sequence.
        case .mpeg: ["\0\0\u{1}\u{BA}", "\0\0\u{1}\u{B3}"]
        case .mpeg2Video: ["\0\0\u{1}\u{B3}"]
        case .avi: ["RIFF????AVI "]
        }
    }
}
