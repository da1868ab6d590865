/// Where the bytes of items lie in the file (ISO/IEC 14496-12, 8.11.3).
struct ItemLocations {
    /// More than real files have, which have one an item; an item that was edited in place has a
    /// few.
    static let maximumExtents = 8_192

    private var extents: [ItemIdentifier: [Range<Int>]] = [:]

    /// Reads the box.
    ///
    /// - Parameters:
    ///   - box: What the `iloc` box holds.
    ///   - wanted: The items whose places are kept.
    ///   - data: What the `idat` box holds; nil when there is none.
    /// - Throws: `unsupported` for wanted bytes in other files and in other items; `corrupt`,
    ///   `truncated`, `overBudget`, `unreadable`.
    init(
        _ box: Cursor, of wanted: Set<ItemIdentifier>, data: Range<Int>?
    ) throws(HeaderFault) {
        var cursor = box
        let version = try cursor.fullBox().version
        guard version <= 2 else { throw .corrupt("an unknown version of places", at: box.offset) }
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
                throw .corrupt("too many pieces of items", at: start)
            }
            guard file == 0 else { throw .unsupported("a HEIF picture with bytes elsewhere") }
            guard extents[item] == nil else {
                throw .corrupt("a second list of places for item \(item)", at: start)
            }
            let source = try Self.source(method, data: data, of: cursor)
            extents[item] = try Self.extents(
                &cursor, count: count, base: base, sizes: sizes, in: source)
        }
    }

    /// The pieces of an item, in the order in which they belong together.
    ///
    /// - Parameter item: One that was wanted.
    /// - Returns: Bytes from the start of the file; nil when the file has no place of the item.
    subscript(item: ItemIdentifier) -> [Range<Int>]? { extents[item] }

    /// The stretch that places count from: the file, or the `idat` box.
    ///
    /// The file may have lost its end, so that its stretch has none.
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
            throw .unsupported("a HEIF picture that is cut out of other items")
        }
    }

    private static func extents(
        _ cursor: inout Cursor, count: Int, base: Int, sizes: FieldSizes, in source: Range<Int>
    ) throws(HeaderFault) -> [Range<Int>] {
        var extents: [Range<Int>] = []
        for _ in 0..<count {
            let place = cursor.offset
            try cursor.skip(sizes.index)
            let (offset, length) = (
                try cursor.field(of: sizes.offset), try cursor.field(of: sizes.length)
            )
            var start = base.addingReportingOverflow(offset)
            if !start.overflow {
                start = start.partialValue.addingReportingOverflow(source.lowerBound)
            }
            guard !start.overflow, start.partialValue <= source.upperBound else {
                throw .corrupt("a piece of an item past its data", at: place)
            }
            let room = source.upperBound - start.partialValue
            // No length stands for all that there is.
            let whole =
                length == 0 ? min(room, max(0, cursor.reader.length - start.partialValue)) : length
            guard whole <= room else {
                throw .corrupt("a piece of an item past its data", at: place)
            }
            extents.append(start.partialValue..<start.partialValue + whole)
        }
        return extents
    }
}

/// How wide the fields of an `iloc` box are, in bytes.
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
            throw .corrupt("a place of \(size) bytes", at: cursor.offset - 2)
        }
    }

    /// The width of all fields of an extent.
    var extent: Int { index + offset + length }
}

extension Cursor {
    /// Reads a number of 0, 4 or 8 bytes, clamped.
    fileprivate mutating func field(of size: Int) throws(HeaderFault) -> Int {
        switch size {
        case 0: 0
        case 4: Int(try uint32())
        default: Int(clamping: try uint64())
        }
    }
}
