/// Writes HEIF files from coded pieces, with every kind of table that a reader must support.
package struct HEIFWriter {
    /// Location of an item's bytes.
    package enum Place {
        /// After the tables, in one extent.
        case file
        /// After the tables, in this many extents, with other bytes between them.
        case pieces(Int)
        /// In the `idat` box.
        case itemData
    }

    package struct Item {
        package var identifier: Int
        package var type: String
        package var bytes: [UInt8] = []
        package var properties: [[UInt8]] = []
        /// Kinds of properties marked as essential.
        package var essential: Set<String> = ["hvcC", "av1C", "irot", "imir", "clap"]
        package var place = Place.file

        package init(
            identifier: Int, type: String, bytes: [UInt8] = [], properties: [[UInt8]] = []
        ) {
            self.identifier = identifier
            self.type = type
            self.bytes = bytes
            self.properties = properties
        }
    }

    package var items: [Item] = []
    package var references: [(type: String, from: Int, to: [Int])] = []
    package var primary = 1
    package var brand = "heic"
    /// Version of the `iloc` box: 0, 1 or 2.
    package var locationVersion = 1
    /// Size of numbers in the `iloc` box, in bytes: 4 or 8.
    package var locationWidth = 4
    /// Base offset of positions in the file.
    package var base = 0

    package init(items: [Item] = []) { self.items = items }

    package static func box(_ type: String, _ payload: [UInt8]...) -> [UInt8] {
        let body = payload.flatMap { $0 }
        return big(body.count + 8) + Array(type.utf8) + body
    }

    package static func fullBox(_ type: String, _ version: UInt8 = 0, _ payload: [UInt8]...)
        -> [UInt8]
    {
        box(type, [version, 0, 0, 0] + payload.flatMap { $0 })
    }

    package static func big(_ value: Int, _ width: Int = 4) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    package static func size(_ width: Int, _ height: Int) -> [UInt8] {
        fullBox("ispe", 0, big(width) + big(height))
    }

    package static func turn(_ quarters: UInt8) -> [UInt8] { box("irot", [quarters]) }

    package static func mirror(_ axis: UInt8) -> [UInt8] { box("imir", [axis]) }

    /// Sizes and offsets in halves of a pixel.
    package static func aperture(_ width: Int, _ height: Int, _ x: Int = 0, _ y: Int = 0) -> [UInt8]
    {
        box("clap", [width, height, x, y].flatMap { big($0) + big(2) })
    }

    package static func profile(_ bytes: [UInt8]) -> [UInt8] {
        box("colr", Array("prof".utf8) + bytes)
    }

    package static func colours(_ primaries: Int, _ transfer: Int, _ matrix: Int, isFull: Bool)
        -> [UInt8]
    {
        let points = [primaries, transfer, matrix].flatMap { big($0, 2) }
        return box("colr", Array("nclx".utf8) + points + [isFull ? 0x80 : 0])
    }

    package static let alpha = fullBox(
        "auxC", 0, Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8))

    /// Data of a grid item.
    package static func grid(_ columns: Int, _ rows: Int, _ width: Int, _ height: Int) -> [UInt8] {
        let isWide = max(width, height) > 0xFFFF
        return [0, isWide ? 1 : 0, UInt8(rows - 1), UInt8(columns - 1)]
            + big(width, isWide ? 4 : 2) + big(height, isWide ? 4 : 2)
    }

    package var bytes: [UInt8] {
        let type = Self.box("ftyp", Array(brand.utf8) + Self.big(0) + Array("mif1".utf8))
        // Numbers have a fixed size, so the length of the tables does not depend on them.
        let start = type.count + tables(from: base).count + 8
        return type + tables(from: start) + Self.box("mdat", layOut(from: start).media)
    }

    private typealias Layout = (media: [UInt8], data: [UInt8], places: [(Int, [(Int, Int)])])

    /// Lays out the bytes after the tables and in the `idat` box, with a method and extents for
    /// each item.
    private func layOut(from start: Int) -> Layout {
        var layout: Layout = ([], [], [])
        for item in items {
            switch item.place {
            case .itemData:
                layout.places.append((1, [(layout.data.count, item.bytes.count)]))
                layout.data += item.bytes
            case .file, .pieces:
                var count = 1
                if case .pieces(let pieces) = item.place { count = pieces }
                var pieces: [(Int, Int)] = []
                for index in 0..<count {
                    let part = item.bytes[
                        item.bytes.count * index / count..<item.bytes.count * (index + 1) / count]
                    pieces.append((start + layout.media.count, part.count))
                    layout.media += part + (count > 1 ? [0xAA, 0xBB, 0xCC] : [])
                }
                layout.places.append((0, pieces))
            }
        }
        return layout
    }

    private func tables(from start: Int) -> [UInt8] {
        let layout = layOut(from: start)
        let isWide = locationVersion == 2
        var locations: [UInt8] = [
            UInt8(locationWidth << 4 | locationWidth), UInt8(base > 0 ? 4 << 4 : 0),
        ]
        locations += Self.big(items.count, isWide ? 4 : 2)
        for (item, (method, pieces)) in zip(items, layout.places) {
            let base = method == 0 ? base : 0
            locations += Self.big(item.identifier, isWide ? 4 : 2)
            locations += locationVersion > 0 ? Self.big(method, 2) : []
            locations += Self.big(0, 2) + (self.base > 0 ? Self.big(base) : [])
            locations += Self.big(pieces.count, 2)
            for (offset, length) in pieces {
                locations += Self.big(offset - base, locationWidth)
                locations += Self.big(length, locationWidth)
            }
        }
        return Self.fullBox(
            "meta", 0,
            Self.fullBox(
                "hdlr", 0, Self.big(0), Array("pict".utf8), .init(repeating: 0, count: 13)),
            Self.fullBox("pitm", 0, Self.big(primary, 2)),
            Self.fullBox("iloc", UInt8(locationVersion), locations),
            Self.fullBox("iinf", 0, Self.big(items.count, 2), items.flatMap(Self.entry)),
            properties,
            references.isEmpty ? [] : Self.fullBox("iref", 0, references.flatMap(Self.reference)),
            layout.data.isEmpty ? [] : Self.box("idat", layout.data))
    }

    private static func entry(_ item: Item) -> [UInt8] {
        fullBox("infe", 2, big(item.identifier, 2), [0, 0], Array(item.type.utf8), [0])
    }

    private static func reference(_ type: String, _ from: Int, _ to: [Int]) -> [UInt8] {
        box(type, big(from, 2), big(to.count, 2), to.flatMap { big($0, 2) })
    }

    private var properties: [UInt8] {
        var all: [[UInt8]] = []
        var associations: [UInt8] = []
        for item in items {
            associations += Self.big(item.identifier, 2) + [UInt8(item.properties.count)]
            for property in item.properties {
                let index = all.firstIndex(of: property) ?? all.count
                if index == all.count { all.append(property) }
                let kind = String(decoding: property[4..<8], as: UTF8.self)
                associations.append(UInt8(index + 1) | (item.essential.contains(kind) ? 0x80 : 0))
            }
        }
        return Self.box(
            "iprp", Self.box("ipco", all.flatMap { $0 }),
            Self.fullBox("ipma", 0, Self.big(items.count), associations))
    }
}
