extension HEIFWriter {
    package static func single(_ piece: CodedPiece, _ more: [[UInt8]] = []) -> HEIFWriter {
        HEIFWriter(items: [piece.item(1, more)])
    }

    /// A grid with tiles from item 2 on, row by row, cycling through the pieces.
    package static func mosaic(
        _ pieces: [CodedPiece], columns: Int, rows: Int, _ width: Int, _ height: Int,
        _ more: [[UInt8]] = []
    ) -> HEIFWriter {
        var writer = HEIFWriter()
        writer.addMosaic(1, pieces, columns: columns, rows: rows, width, height, more)
        return writer
    }

    /// Adds a grid, followed by its tiles.
    package mutating func addMosaic(
        _ identifier: Int, _ pieces: [CodedPiece], columns: Int, rows: Int, _ width: Int,
        _ height: Int, _ more: [[UInt8]] = []
    ) {
        items.append(
            Item(
                identifier: identifier, type: "grid",
                bytes: Self.grid(columns, rows, width, height),
                properties: [Self.size(width, height)] + more))
        let tiles = Array(identifier + 1..<identifier + 1 + columns * rows)
        for (index, tile) in tiles.enumerated() {
            items.append(pieces[index % pieces.count].item(tile))
        }
        references.append(("dimg", identifier, tiles))
    }

    /// Adds a coded piece as the alpha plane of the primary picture.
    package mutating func addAlpha(
        _ piece: CodedPiece, _ more: [[UInt8]] = [], isPremultiplied: Bool = false
    ) {
        let identifier = 500
        items.append(piece.item(identifier, [Self.alpha] + more))
        linkAlpha(identifier, isPremultiplied: isPremultiplied)
    }

    package mutating func linkAlpha(_ identifier: Int, isPremultiplied: Bool = false) {
        references.append(("auxl", identifier, [primary]))
        if isPremultiplied { references.append(("prem", primary, [identifier])) }
    }

    /// An overlay with layers from item 2 on, each at its position.
    package static func overlay(
        _ layers: [(piece: CodedPiece, x: Int, y: Int)], _ width: Int, _ height: Int,
        fill: [Int] = [0xFFFF, 0x8000, 0, 0xFFFF], _ more: [[UInt8]] = []
    ) -> HEIFWriter {
        let places = layers.flatMap { big($0.x, 4) + big($0.y, 4) }
        let canvas = fill.flatMap { big($0, 2) } + big(width, 4) + big(height, 4)
        var writer = HEIFWriter(items: [
            Item(
                identifier: 1, type: "iovl", bytes: [0, 1] + canvas + places,
                properties: [size(width, height)] + more)
        ])
        for (index, layer) in layers.enumerated() {
            writer.items.append(layer.piece.item(index + 2))
        }
        writer.references = [("dimg", 1, Array(2..<layers.count + 2))]
        return writer
    }

    /// Adds a coded piece as an auxiliary picture of the primary one, such as a gain map.
    package mutating func addAuxiliary(_ identifier: Int, _ piece: CodedPiece, type: String) {
        let kind = Self.fullBox("auxC", 0, Array(type.utf8) + [0])
        items.append(piece.item(identifier, [kind]))
        references.append(("auxl", identifier, [primary]))
    }

    /// Adds a coded piece as a gain map of ISO 21496-1, and the item derived from it and the primary
    /// picture.
    package mutating func addToneMap(
        _ identifier: Int, _ piece: CodedPiece, _ width: Int, _ height: Int,
        _ more: [[UInt8]] = []
    ) {
        items.append(piece.item(identifier + 1))
        items.append(
            Item(
                identifier: identifier, type: "tmap", bytes: .init(repeating: 0, count: 62),
                properties: [Self.size(width, height)] + more))
        references.append(("dimg", identifier, [primary, identifier + 1]))
    }
}
