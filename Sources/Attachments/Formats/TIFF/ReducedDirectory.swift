import AttachmentModel

/// First directory of a TIFF file, reduced to the entries that determine its pixels.
///
/// libtiff reads every tag of a directory onto the heap, whatever its length. It therefore receives
/// this directory, appended to the file and without a successor.
struct ReducedDirectory {
    /// Above the entries of any real directory, and libtiff's own limit.
    static let maximumEntries = 4096

    /// First bytes of the file, with the offset of the reduced directory.
    let header: [UInt8]
    let start: Int
    /// The directory, in the byte order and variant of the file.
    let bytes: [UInt8]
    /// ICC profile's range; nil if missing or beyond the file.
    let profile: Range<Int>?

    private let integers: [UInt16: Int]

    init(_ file: OpenFile) throws(DecodingFault) {
        let length = file.length
        var fields = try TIFFFieldReader(file)
        let isBig = fields.isBig
        let offset = try fields.readOffset()
        guard offset < length else {
            throw DecodingFault(.truncated, at: 4, "its directory is beyond its end")
        }
        fields.seek(to: offset)
        let count = try fields.readInteger(bytes: isBig ? 8 : 2)
        guard (1...Self.maximumEntries).contains(count) else {
            throw DecodingFault(.corrupt, at: offset, "a directory of \(count) entries")
        }
        var entries: [UInt8] = []
        var integers: [UInt16: Int] = [:]
        var seen: Set<UInt16> = []
        var profile: Range<Int>?
        for _ in 0..<count {
            let entry = try TIFFEntry(&fields)
            // Of duplicate tags, libtiff uses the first.
            guard seen.insert(entry.tag).inserted else { continue }
            if entry.tag == TIFFTag.iccProfile {
                profile = entry.byteRange(inFileOf: length)
            }
            guard let ceiling = TIFFTag.shown[entry.tag] else { continue }
            guard entry.valueBytes <= ceiling else {
                throw DecodingFault(
                    .limit, at: entry.offset,
                    "tag \(entry.tag) of \(entry.valueBytes) bytes")
            }
            integers[entry.tag] = entry.integer
            entries += entry.bytes
        }
        self.profile = profile
        self.integers = integers

        // Directories are word-aligned (TIFF 6.0, section 2).
        start = (length + 1) & ~1
        guard isBig || start + entries.count + 6 <= UInt32.max else {
            throw DecodingFault(.unsupported, at: 4, "a TIFF of 4 GB that is not a BigTIFF")
        }
        let order = fields.isBigEndian
        let entryCount = entries.count / (isBig ? 20 : 12)
        bytes =
            .init(entryCount, bytes: isBig ? 8 : 2, bigEndian: order) + entries
            + .init(0, bytes: isBig ? 8 : 4, bigEndian: order)
        header = fields.signature + .init(start, bytes: isBig ? 8 : 4, bigEndian: order)
    }

    func integer(_ tag: UInt16) -> Int? { integers[tag] }

    /// Number of strips or tiles, and so the length of libtiff's arrays.
    var unitCount: Double {
        let width = Double(integer(TIFFTag.imageWidth) ?? 0)
        let height = Double(integer(TIFFTag.imageLength) ?? 0)
        let separate = integer(TIFFTag.planarConfiguration) == 2
        let planes = separate ? Double(integer(TIFFTag.samplesPerPixel) ?? 1) : 1
        func pieces(_ extent: Double, _ piece: Int) -> Double {
            (extent / Double(max(1, piece))).rounded(.up)
        }
        if let across = integer(TIFFTag.tileWidth), let down = integer(TIFFTag.tileLength) {
            return pieces(width, across) * pieces(height, down) * planes
        }
        return pieces(height, integer(TIFFTag.rowsPerStrip) ?? .max) * planes
    }
}
