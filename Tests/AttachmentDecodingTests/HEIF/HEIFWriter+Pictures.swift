extension HEIFWriter {
    /// A file of one coded picture.
    static func single(_ piece: CodedPiece, _ more: [[UInt8]] = []) -> HEIFWriter {
        HEIFWriter(items: [piece.item(1, more)])
    }

    /// A file of a grid: tiles from item 2 on, row by row, the pieces taking turns.
    static func mosaic(
        _ pieces: [CodedPiece], columns: Int, rows: Int, _ width: Int, _ height: Int,
        _ more: [[UInt8]] = []
    ) -> HEIFWriter {
        var writer = HEIFWriter()
        writer.addMosaic(1, pieces, columns: columns, rows: rows, width, height, more)
        return writer
    }

    /// Adds a grid, with its tiles behind it.
    mutating func addMosaic(
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

    /// Lays a coded piece over the primary picture as its alpha plane.
    mutating func addAlpha(
        _ piece: CodedPiece, _ more: [[UInt8]] = [], isPremultiplied: Bool = false
    ) {
        let identifier = 500
        items.append(piece.item(identifier, [Self.alpha] + more))
        linkAlpha(identifier, isPremultiplied: isPremultiplied)
    }

    /// Makes an item the alpha plane of the primary picture.
    mutating func linkAlpha(_ identifier: Int, isPremultiplied: Bool = false) {
        references.append(("auxl", identifier, [primary]))
        if isPremultiplied { references.append(("prem", primary, [identifier])) }
    }
}
