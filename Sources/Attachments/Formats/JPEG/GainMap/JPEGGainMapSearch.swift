internal import AttachmentContainer
internal import AttachmentModel

/// Search for an HDR gain map, a JPEG behind the picture that describes itself as one.
///
/// The picture's segments only say where to look: claims without a gain map count for nothing. The
/// search has a limit of its own and cannot fail, so that nothing else depends on it.
struct JPEGGainMapSearch {
    /// Covers two XMP packets of a whole segment each, and the segments before them.
    static let budget = ByteCount(256 << 10)
    /// Above real files: a phone's portrait has a gain map, a depth map and a few mattes.
    private static let maximumPictures = 16

    /// First Multi-Picture index (CIPA DC-007, 5.2), after its identifier.
    private var index: Range<Int>?
    /// First XMP packet.
    private var packet: Range<Int>?

    /// Takes note of an application segment of the picture.
    mutating func add(_ segment: Cursor, number: UInt8) throws(HeaderFault) {
        if number == 2, index == nil, try segment.starts(with: "MPF\0") {
            index = segment.offset + 4..<segment.end
        }
        if number == 1, packet == nil { packet = try segment.xmpPacket }
    }

    /// Kind of the gain map; nil without one, and if it is not found within the limit.
    func kind(in reader: BoundedReader) -> GainMapKind? {
        guard index != nil || packet != nil else { return nil }
        let reader = reader.separate(budget: Self.budget)
        var kinds: Set<GainMapKind> = []
        for start in indexedPictures(reader) { kinds.formUnion(Self.kinds(at: start, reader)) }
        if kinds.isEmpty, let start = listedPicture(reader) {
            kinds = Self.kinds(at: start, reader)
        }
        // A gain map may be described twice; the standard's description comes first.
        return GainMapKind.allCases.first(where: kinds.contains)
    }

    /// Starts of the pictures in the index, relative to its byte order (DC-007, 5.2.3.3).
    private func indexedPictures(_ reader: BoundedReader) -> [Int] {
        guard let index else { return [] }
        let structure = Cursor(reader, from: index.lowerBound, to: index.upperBound)
        var starts: [Int] = []
        do throws(HeaderFault) {
            // MPEntry: attributes, length, offset and dependencies of each picture.
            guard var entries = try TIFFDirectory(structure).bytes(0xB002) else { return [] }
            while entries.remaining >= 16, starts.count < Self.maximumPictures {
                try entries.skip(8)
                let offset = Int(try entries.uint32())
                try entries.skip(4)
                // The offset of the first picture is 0.
                if offset > 0 { starts.append(index.lowerBound + offset) }
            }
        } catch {
            return starts
        }
        return starts
    }

    /// Start of the gain map that the XMP packet lists; pictures lie at the end of the file.
    private func listedPicture(_ reader: BoundedReader) -> Int? {
        guard let packet, let bytes = try? reader.bytes(in: packet),
            let length = XMPPacket(bytes).lengthFromGainMap, length <= reader.length
        else { return nil }
        return reader.length - length
    }

    /// Kinds that a JPEG's own segments describe; none if another file begins there.
    private static func kinds(at start: Int, _ reader: BoundedReader) -> Set<GainMapKind> {
        var kinds: Set<GainMapKind> = []
        var cursor = Cursor(reader, from: start)
        do throws(HeaderFault) {
            guard try cursor.starts(withBytes: [0xFF, 0xD8, 0xFF]) else { return [] }
            try cursor.skip(2)
            while true {
                let marker = try cursor.jpegMarker()
                // Application segments come before the frame.
                guard (0xE0...0xEF).contains(marker) || marker == 0xDB || marker == 0xFE else {
                    return kinds
                }
                let segment = try cursor.jpegSegment()
                // ISO 21496-1, annex C.
                if marker == 0xE2, try segment.starts(with: GainMapKind.isoName + "\0") {
                    kinds.insert(.iso)
                }
                if marker == 0xE1, let packet = try segment.xmpPacket {
                    kinds.formUnion(XMPPacket(try reader.bytes(in: packet)).kinds)
                }
            }
        } catch {
            return kinds
        }
    }
}

extension Cursor {
    /// Range of the XMP packet in an application segment (XMP, part 3, 1.1.3); nil for others.
    fileprivate var xmpPacket: Range<Int>? {
        get throws(HeaderFault) {
            let identifier = "http://ns.adobe.com/xap/1.0/\0"
            guard try starts(with: identifier) else { return nil }
            return offset + identifier.utf8.count..<end
        }
    }
}

extension BoundedReader {
    fileprivate func bytes(in range: Range<Int>) throws(HeaderFault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        for offset in range { bytes.append(try byte(at: offset)) }
        return bytes
    }
}
