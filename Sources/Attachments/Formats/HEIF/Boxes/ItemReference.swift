import AttachmentModel

struct ItemReference {
    /// Above the number of tiles in any real grid; the largest known picture has 768.
    static let maximumTargets = 65_536

    /// Type: `dimg` from a grid to its tiles, `auxl` from an alpha plane to its picture.
    let type: FourCC
    let from: ItemIdentifier
    let to: [ItemIdentifier]

    /// Parses an `iref` box; keeps the order of the file.
    static func all(_ box: Cursor) throws(HeaderFault) -> [ItemReference] {
        var cursor = box
        let isWide = try cursor.fullBox().version > 0
        var references: [ItemReference] = []
        var targets = 0
        var boxes = BoxSequence(cursor)
        while var box = try boxes.next() {
            let from = try box.payload.item(isWide: isWide)
            let count = Int(try box.payload.uint16())
            targets += count
            guard targets <= maximumTargets else {
                throw .corrupt("too many item references", at: box.start)
            }
            var to: [ItemIdentifier] = []
            for _ in 0..<count { to.append(try box.payload.item(isWide: isWide)) }
            references.append(ItemReference(type: box.type, from: from, to: to))
        }
        return references
    }
}
