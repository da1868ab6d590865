/// The properties in a file and the items that they belong to (ISO/IEC 23008-12, 9.3).
struct ItemProperties {
    /// More than any real file has: a phone's picture of 200 megapixels has about 2,400.
    static let maximumAssociations = 65_536

    /// A property that cannot be read is a fault of the items that it belongs to, not of others.
    private var properties: [Result<ItemProperty?, HeaderFault>] = []
    /// For each item, indices into `properties` that count from 1, in the order of the file.
    private var associations: [ItemIdentifier: [Int]] = [:]
    private var associationCount = 0

    /// Reads the box.
    ///
    /// - Parameter box: What the `iprp` box holds.
    /// - Throws: `corrupt`, `truncated`, `overBudget`, `unreadable`.
    init(_ box: Cursor) throws(HeaderFault) {
        var parts = BoxSequence(box)
        while let part = try parts.next() {
            switch part.type {
            case "ipco" where properties.isEmpty:
                var boxes = BoxSequence(part.payload)
                while let box = try boxes.next() {
                    properties.append(
                        Result { () throws(HeaderFault) in try ItemProperty(box) })
                }
            case "ipma":
                try associate(part)
            default:
                break
            }
        }
    }

    /// The properties of an item, in the order of the file.
    ///
    /// - Parameter item: The item.
    /// - Returns: Those of kinds that ``ItemProperty`` knows.
    /// - Throws: `corrupt`, `truncated`, `overBudget`, `unreadable`.
    func properties(of item: ItemIdentifier) throws(HeaderFault) -> [ItemProperty] {
        var found: [ItemProperty] = []
        for index in associations[item] ?? [] where properties.indices.contains(index - 1) {
            if let property = try properties[index - 1].get() { found.append(property) }
        }
        return found
    }

    /// Reads an ItemPropertyAssociationBox (9.3.2).
    ///
    /// The highest bit of an index says that the property is essential; index 0 stands for none. No
    /// item stands in it twice.
    private mutating func associate(_ box: Box) throws(HeaderFault) {
        var cursor = box.payload
        let (version, flags) = try cursor.fullBox()
        let entries = try cursor.uint32()
        for _ in 0..<entries {
            let item = try cursor.item(isWide: version > 0)
            let count = Int(try cursor.uint8())
            associationCount += count + 1
            guard associationCount <= Self.maximumAssociations else {
                throw .corrupt("too many item properties", at: box.start)
            }
            guard associations[item] == nil else {
                throw .corrupt("a second list of properties for item \(item)", at: box.start)
            }
            var indices: [Int] = []
            for _ in 0..<count {
                let index =
                    flags & 1 == 1
                    ? Int(try cursor.uint16() & 0x7FFF) : Int(try cursor.uint8() & 0x7F)
                indices.append(index)
            }
            associations[item] = indices
        }
    }
}
