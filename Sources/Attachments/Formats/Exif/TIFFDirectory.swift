import AttachmentModel

/// Image file directory of TIFF (TIFF 6.0, section 2), BigTIFF (version 43, with 64-bit counts and
/// offsets) or Exif (Exif 2.32, section 4.6.2).
struct TIFFDirectory {
    /// Above any real directory: TIFF and Exif together define about 250 tags.
    static let maximumEntries = 1024

    private struct Entry {
        let type: UInt16
        let count: Int
        let values: Cursor
    }

    private var entries: [UInt16: Entry] = [:]
    private let structure: Cursor
    private let isBig: Bool
    private let nextOffset: Int

    init(_ structure: Cursor) throws(HeaderFault) {
        var structure = structure
        guard try structure.starts(with: "II", "MM") else {
            throw .corrupt("no byte order mark", at: structure.offset)
        }
        structure.order = try structure.starts(with: "II") ? .little : .big
        var cursor = structure.advanced(by: 2)
        let version = try cursor.uint16()
        guard version == 42 || version == 43 else {
            throw .corrupt("TIFF version \(version)", at: structure.offset + 2)
        }
        let isBig = version == 43
        // BigTIFF states the length of an offset, which is always eight bytes.
        if isBig { try cursor.skip(4) }

        try self.init(structure, at: cursor.offsetValue(isBig), isBig)
    }

    func next() throws(HeaderFault) -> TIFFDirectory? {
        guard nextOffset > 0 else { return nil }
        return try TIFFDirectory(structure, at: nextOffset, isBig)
    }

    private init(_ structure: Cursor, at offset: Int, _ isBig: Bool) throws(HeaderFault) {
        self.structure = structure
        self.isBig = isBig
        var cursor = structure.advanced(by: offset)
        let count = isBig ? Int(clamping: try cursor.uint64()) : Int(try cursor.uint16())
        guard count <= Self.maximumEntries else {
            throw .corrupt("a directory of \(count) entries", at: cursor.offset)
        }
        for _ in 0..<count {
            let tag = try cursor.uint16()
            let type = try cursor.uint16()
            let count = try cursor.offsetValue(isBig)
            let field = try cursor.take(isBig ? 8 : 4)
            var values = field
            if count > field.remaining / Self.width(of: Int(type)) {
                var offset = field
                values = structure.advanced(by: try offset.offsetValue(isBig))
            }
            // The first of duplicate tags wins, as in other readers.
            if entries[tag] == nil {
                entries[tag] = Entry(type: type, count: count, values: values)
            }
        }
        // Many writers omit the last offset at the end of the file.
        nextOffset = (try? cursor.offsetValue(isBig)) ?? 0
    }

    /// First value of a tag; nil if missing or not an unsigned integer.
    func integer(_ tag: UInt16) throws(HeaderFault) -> Int? {
        guard let entry = entries[tag], entry.count > 0 else { return nil }
        var cursor = entry.values
        switch entry.type {
        case 1: return Int(try cursor.uint8())
        case 3: return Int(try cursor.uint16())
        case 4: return Int(try cursor.uint32())
        case 16: return Int(clamping: try cursor.uint64())
        default: return nil
        }
    }

    /// Bytes of a tag without a type of its own (`UNDEFINED`); nil if missing.
    func bytes(_ tag: UInt16) -> Cursor? {
        guard let entry = entries[tag], entry.type == 7 else { return nil }
        return entry.values.prefix(entry.count)
    }

    func count(_ tag: UInt16) -> Int { entries[tag]?.count ?? 0 }

    /// Width of a value, in bytes (TIFF 6.0, section 2, "Types"; 13 and 16 to 18 are later
    /// additions).
    static func width(of type: Int) -> Int {
        switch type {
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12, 16, 17, 18: 8
        default: 1
        }
    }
}

extension Cursor {
    /// Reads an offset or count, clamped: 64 bits in BigTIFF, otherwise 32.
    fileprivate mutating func offsetValue(_ isBig: Bool) throws(HeaderFault) -> Int {
        isBig ? Int(clamping: try uint64()) : Int(try uint32())
    }
}
