/// What tells items from each other; never 0.
typealias ItemIdentifier = UInt32

/// The items of a HEIF file and what is said of them (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12).
struct MetaBox {
    /// Where the box begins in the file.
    let start: Int
    /// The item that stands for the file.
    let primary: ItemIdentifier
    /// How items refer to each other, in the order of the file.
    let references: [ItemReference]
    private let types: [ItemIdentifier: FourCC]
    private let properties: ItemProperties
    /// Where the coded bytes lie, which is read when somebody asks.
    private let locations: Cursor?
    /// What the `idat` box holds.
    private let data: Range<Int>?

    /// Finds and reads the box.
    ///
    /// - Parameters:
    ///   - boxes: The boxes of the file, behind its type.
    ///   - reader: The file.
    /// - Throws: `unsupported` when there is a movie instead; `corrupt`, `truncated`, `overBudget`,
    ///   `unreadable`.
    init(among boxes: inout BoxSequence, of reader: BoundedReader) throws(HeaderFault) {
        var isMovie = false
        while let box = try boxes.next() {
            if box.type == "meta" {
                try self.init(box)
                return
            }
            isMovie = isMovie || box.type == "moov"
        }
        guard !isMovie else { throw .unsupported("an image sequence without a still picture") }
        throw .truncated(at: reader.length)
    }

    /// Reads the box.
    ///
    /// - Parameter box: The `meta` box of the file.
    /// - Throws: `corrupt`, `truncated`, `overBudget`, `unreadable`.
    init(_ box: Box) throws(HeaderFault) {
        var payload = box.payload
        guard try payload.fullBox().version == 0 else {
            throw .corrupt("an unknown version of the meta box", at: box.start)
        }
        var parts: [FourCC: Cursor] = [:]
        var boxes = BoxSequence(payload)
        while let part = try boxes.next() {
            if parts[part.type] == nil { parts[part.type] = part.payload }
        }
        guard let primary = parts["pitm"], let information = parts["iinf"],
            let properties = parts["iprp"]
        else { throw .corrupt("a meta box without its primary item", at: box.start) }
        self.start = box.start
        self.primary = try Self.primary(primary)
        self.types = try Self.types(information)
        self.properties = try ItemProperties(properties)
        self.references = try parts["iref"].map(ItemReference.all) ?? []
        locations = parts["iloc"]
        data = parts["idat"].map { $0.offset..<$0.end }
    }

    /// An item with what is said of it.
    ///
    /// - Parameter identifier: The item.
    /// - Returns: The item.
    /// - Throws: `corrupt` when the file does not describe it, `truncated`, `noPixels`,
    ///   `overBudget`, `unreadable`.
    func item(_ identifier: ItemIdentifier) throws(HeaderFault) -> Item {
        guard let type = types[identifier] else {
            throw .corrupt("item \(identifier) is not described", at: start)
        }
        return Item(
            identifier: identifier, type: type,
            properties: try properties.properties(of: identifier),
            unknownEssential: try properties.unknownEssential(of: identifier))
    }

    /// Where the bytes of some items lie.
    ///
    /// - Parameter items: The items.
    /// - Returns: Their places, for each item in the order in which the bytes belong together.
    /// - Throws: `unsupported` for bytes in other files and in other items; `corrupt`, `truncated`,
    ///   `overBudget`, `unreadable`.
    func locations(of items: Set<ItemIdentifier>) throws(HeaderFault) -> ItemLocations {
        guard let locations else { throw .corrupt("a meta box without places", at: start) }
        return try ItemLocations(locations, of: items, data: data)
    }

    /// Whether there is Exif, or XMP, which is an item with a media type.
    var hasMetadata: Bool { types.values.contains { $0 == "Exif" || $0 == "mime" } }

    /// The items that an item refers to.
    ///
    /// - Parameters:
    ///   - item: The item that refers.
    ///   - type: The kind of reference, for example `dimg`.
    /// - Returns: The items, in the order of the file.
    func references(from item: ItemIdentifier, as type: FourCC) -> [ItemIdentifier] {
        references.first { $0.type == type && $0.from == item }?.to ?? []
    }

    /// PrimaryItemBox (14496-12, 8.11.4).
    private static func primary(_ box: Cursor) throws(HeaderFault) -> ItemIdentifier {
        var cursor = box
        let isWide = try cursor.fullBox().version > 0
        return try cursor.item(isWide: isWide)
    }

    /// ItemInfoBox and the ItemInfoEntry boxes in it, which have types from version 2 on (8.11.6).
    private static func types(_ box: Cursor) throws(HeaderFault) -> [ItemIdentifier: FourCC] {
        var cursor = box
        let isWide = try cursor.fullBox().version > 0
        try cursor.skip(isWide ? 4 : 2)
        var types: [ItemIdentifier: FourCC] = [:]
        var entries = BoxSequence(cursor)
        while var entry = try entries.next() {
            let version = try entry.payload.fullBox().version
            guard entry.type == "infe", version >= 2 else { continue }
            let item = try entry.payload.item(isWide: version > 2)
            try entry.payload.skip(2)
            types[item] = try entry.payload.fourCC()
        }
        return types
    }
}
