import AttachmentModel

/// Item identifier; never 0.
typealias ItemIdentifier = UInt32

/// Items of a HEIF file with their properties (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12).
struct MetaBox {
    let start: Int
    let primary: ItemIdentifier
    let references: [ItemReference]
    let types: [ItemIdentifier: FourCC]
    private let properties: ItemProperties
    /// The `iloc` box, parsed on demand.
    private let locations: Cursor?
    private let data: Range<Int>?

    /// Finds and parses the box after the file type; nil for a sequence without a still picture.
    static func find(in reader: BoundedReader) throws(HeaderFault) -> MetaBox? {
        var (boxes, isSequence) = (try FileType.read(reader).boxes, false)
        while let box = try boxes.next() {
            if box.type == "meta" { return try MetaBox(box) }
            isSequence = isSequence || box.type == "moov"
        }
        guard isSequence else { throw .truncated(at: reader.length) }
        return nil
    }

    private init(_ box: Box) throws(HeaderFault) {
        var payload = box.payload
        guard try payload.fullBox().version == 0 else {
            throw .corrupt("an unknown version of the meta box", at: box.start)
        }
        var parts: [FourCC: Cursor] = [:]
        var boxes = BoxSequence(payload)
        while let part = try boxes.next() {
            if parts[part.type] == nil { parts[part.type] = part.payload }
        }
        guard var primary = parts["pitm"], let information = parts["iinf"],
            let properties = parts["iprp"]
        else { throw .corrupt("a meta box without its primary item", at: box.start) }
        self.start = box.start
        let isWide = try primary.fullBox().version > 0
        self.primary = try primary.item(isWide: isWide)
        types = try Self.types(information)
        self.properties = try ItemProperties(properties)
        references = try parts["iref"].map(ItemReference.all) ?? []
        locations = parts["iloc"]
        data = parts["idat"].map { $0.offset..<$0.end }
    }

    func item(_ identifier: ItemIdentifier) throws(HeaderFault) -> Item {
        guard let type = types[identifier] else {
            throw .corrupt("item \(identifier) is not described", at: start)
        }
        return Item(
            identifier: identifier, type: type,
            properties: try properties.properties(of: identifier),
            unknownEssential: try properties.unknownEssential(of: identifier))
    }

    func locations(of items: Set<ItemIdentifier>) throws(HeaderFault) -> ItemLocations {
        guard let locations else {
            throw .corrupt("a meta box without item locations", at: start)
        }
        return try ItemLocations(locations, of: items, data: data)
    }

    /// XMP is an item with a media type.
    var hasMetadata: Bool { types.values.contains { $0 == "Exif" || $0 == "mime" } }

    var thumbnail: ItemIdentifier? {
        references.first { $0.type == "thmb" && $0.to.contains(primary) }?.from
    }

    func references(from item: ItemIdentifier, as type: FourCC) -> [ItemIdentifier] {
        references.first { $0.type == type && $0.from == item }?.to ?? []
    }

    /// Parses an ItemInfoBox; its ItemInfoEntry boxes have types from version 2 on (8.11.6).
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
