import AttachmentModel

/// Properties of a file and their associations with items (ISO/IEC 23008-12, 9.3).
struct ItemProperties {
    /// Above any real file; a phone's picture of 200 megapixels has about 2,400.
    static let maximumAssociations = 65_536

    /// An invalid property fails only the items that it belongs to.
    private var properties: [Result<ItemProperty, HeaderFault>] = []
    private var associations: [ItemIdentifier: [Association]] = [:]
    private var associationCount = 0

    init(_ box: Cursor) throws(HeaderFault) {
        var parts = BoxSequence(box)
        while let part = try parts.next() {
            switch part.type {
            case "ipco" where properties.isEmpty:
                var boxes = BoxSequence(part.payload)
                while let box = try boxes.next() {
                    properties.append(Result { () throws(HeaderFault) in try ItemProperty(box) })
                }
            case "ipma":
                try associate(part)
            default:
                break
            }
        }
    }

    func properties(of item: ItemIdentifier) throws(HeaderFault) -> [ItemProperty] {
        var found: [ItemProperty] = []
        for association in associations[item] ?? [] {
            if let property = try property(association) { found.append(property) }
        }
        return found
    }

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

    /// Reads an ItemPropertyAssociationBox (9.3.2), which lists each item once.
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
                found.append(try Association(&cursor, isWide: flags & 1 == 1))
            }
            associations[item] = found
        }
    }

    /// The highest bit marks an essential property, and index 0 means none.
    private struct Association {
        private let field: UInt16

        init(_ cursor: inout Cursor, isWide: Bool) throws(HeaderFault) {
            let bits = isWide ? try cursor.uint16() : UInt16(try cursor.uint8())
            field = isWide ? bits : (bits & 0x80) << 8 | bits & 0x7F
        }

        var isEssential: Bool { field & 0x8000 != 0 }
        var index: Int { Int(field & 0x7FFF) }
    }
}
