/// The properties in a file and the items that they belong to (ISO/IEC 23008-12, 9.3).
struct ItemProperties {
    /// More than any real file has: a phone's picture of 200 megapixels has about 2,400.
    static let maximumAssociations = 65_536

    /// A property that cannot be read is a fault of the items that it belongs to, not of others.
    private var properties: [Result<ItemProperty, HeaderFault>] = []
    /// For each item, its properties in the order of the file.
    private var associations: [ItemIdentifier: [Association]] = [:]
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
    /// - Returns: The properties.
    /// - Throws: `corrupt`, `truncated`, `overBudget`, `unreadable`.
    func properties(of item: ItemIdentifier) throws(HeaderFault) -> [ItemProperty] {
        var found: [ItemProperty] = []
        for association in associations[item] ?? [] {
            if let property = try property(association) { found.append(property) }
        }
        return found
    }

    /// A property that must be understood to show an item, and is not.
    ///
    /// - Parameter item: The item.
    /// - Returns: Its kind; nil when there is none.
    /// - Throws: `corrupt`, `truncated`, `overBudget`, `unreadable`.
    func unknownEssential(of item: ItemIdentifier) throws(HeaderFault) -> FourCC? {
        for association in associations[item] ?? [] where association.isEssential {
            if case .unknown(let type) = try property(association) { return type }
        }
        return nil
    }

    private func property(_ association: Association) throws(HeaderFault) -> ItemProperty? {
        let index = association.index - 1
        return properties.indices.contains(index) ? try properties[index].get() : nil
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
            var found: [Association] = []
            for _ in 0..<count {
                found.append(
                    flags & 1 == 1
                        ? Association(wide: try cursor.uint16())
                        : Association(narrow: try cursor.uint8()))
            }
            associations[item] = found
        }
    }

    /// That an item has a property; two bytes, since there may be many.
    private struct Association {
        private let field: UInt16

        init(wide field: UInt16) { self.field = field }

        init(narrow field: UInt8) { self.field = UInt16(field & 0x80) << 8 | UInt16(field & 0x7F) }

        var isEssential: Bool { field & 0x8000 != 0 }

        /// Counts from 1; 0 stands for none.
        var index: Int { Int(field & 0x7FFF) }
    }
}
