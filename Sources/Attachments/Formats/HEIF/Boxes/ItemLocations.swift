import AttachmentModel

/// Locations of items' bytes in the file (ISO/IEC 14496-12, 8.11.3).
struct ItemLocations {
    /// Above real files, which have one extent per item and a few after in-place edits.
    static let maximumExtents = 8_192

    private var extents: [ItemIdentifier: [Range<Int>]] = [:]

    /// Locations in other files or items are unsupported; `data` is the range of the `idat` box.
    init(_ box: Cursor, of wanted: Set<ItemIdentifier>, data: Range<Int>?) throws(HeaderFault) {
        var cursor = box
        let version = try cursor.fullBox().version
        guard version <= 2 else {
            throw .corrupt("an unknown version of item locations", at: box.offset)
        }
        let sizes = try FieldSizes(&cursor, hasIndices: version > 0)
        let items = version < 2 ? Int(try cursor.uint16()) : Int(try cursor.uint32())
        var total = 0
        for _ in 0..<items {
            let start = cursor.offset
            let item = try cursor.item(isWide: version == 2)
            let method = version > 0 ? try cursor.uint16() & 0xF : 0
            let file = try cursor.uint16()
            let base = try cursor.field(of: sizes.base)
            let count = Int(try cursor.uint16())
            guard wanted.contains(item) else {
                try cursor.skip(count * sizes.extent)
                continue
            }
            total += count
            guard total <= Self.maximumExtents else {
                throw .corrupt("too many item extents", at: start)
            }
            guard file == 0 else { throw .unsupported("a HEIF picture with data in another file") }
            guard extents[item] == nil else {
                throw .corrupt("a second location list for item \(item)", at: start)
            }
            let source = try Self.source(method, data: data, of: cursor)
            extents[item] = try Self.extents(
                &cursor, count: count, base: base, sizes: sizes, in: source)
        }
    }

    subscript(item: ItemIdentifier) -> [Range<Int>]? { extents[item] }

    /// The file's section is unlimited because the file may be truncated.
    private static func source(
        _ method: UInt16, data: Range<Int>?, of cursor: Cursor
    ) throws(HeaderFault) -> Range<Int> {
        switch method {
        case 0:
            return 0..<Int.max
        case 1:
            guard let data else { throw .corrupt("an item without its data", at: cursor.offset) }
            return data
        default:
            throw .unsupported("a HEIF picture made from parts of other items")
        }
    }

    private static func extents(
        _ cursor: inout Cursor, count: Int, base: Int, sizes: FieldSizes, in source: Range<Int>
    ) throws(HeaderFault) -> [Range<Int>] {
        var extents: [Range<Int>] = []
        for _ in 0..<count {
            let place = cursor.offset
            try cursor.skip(sizes.index)
            let offset = try cursor.field(of: sizes.offset)
            let length = try cursor.field(of: sizes.length)
            var start = base.addingReportingOverflow(offset)
            if !start.overflow {
                start = start.partialValue.addingReportingOverflow(source.lowerBound)
            }
            guard !start.overflow, start.partialValue <= source.upperBound else {
                throw .corrupt("an item extent beyond its data", at: place)
            }
            let room = source.upperBound - start.partialValue
            // A length of zero means everything up to the end.
            let whole =
                length == 0 ? min(room, max(0, cursor.reader.length - start.partialValue)) : length
            guard whole <= room else {
                throw .corrupt("an item extent beyond its data", at: place)
            }
            extents.append(start.partialValue..<start.partialValue + whole)
        }
        return extents
    }
}

private struct FieldSizes {
    let offset: Int
    let length: Int
    let base: Int
    let index: Int

    init(_ cursor: inout Cursor, hasIndices: Bool) throws(HeaderFault) {
        let (first, second) = (Int(try cursor.uint8()), Int(try cursor.uint8()))
        (offset, length) = (first >> 4, first & 15)
        (base, index) = (second >> 4, hasIndices ? second & 15 : 0)
        for size in [offset, length, base, index] where ![0, 4, 8].contains(size) {
            throw .corrupt("a location field of \(size) bytes", at: cursor.offset - 2)
        }
    }

    var extent: Int { index + offset + length }
}

extension Cursor {
    fileprivate mutating func field(of size: Int) throws(HeaderFault) -> Int {
        switch size {
        case 0: 0
        case 4: Int(try uint32())
        default: Int(clamping: try uint64())
        }
    }
}
