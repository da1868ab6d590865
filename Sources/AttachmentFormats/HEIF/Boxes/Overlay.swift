package import AttachmentContainer
import AttachmentModel

/// Pictures placed on a canvas of one colour, first to last (ISO/IEC 23008-12, 6.6.2.2).
package struct Overlay: Sendable {
    package struct Layer: Sendable {
        package let picture: StoredPicture
        /// Canvas column of the picture's first column; negative left of the canvas.
        package let column: Int
        /// Canvas row of the picture's first row; negative above the canvas.
        package let row: Int
    }

    /// Above any known picture, which has two; each layer may be held while rows are read.
    package static let maximumLayers = 16

    package let size: PixelSize
    /// Red, green and blue of the canvas, 16 bits each.
    ///
    /// Its opacity is ignored: the canvas is opaque, as in libheif.
    package let fill: [UInt16]
    /// Layers, first to last.
    package let layers: [Layer]

    /// Parses an `iovl` item.
    ///
    /// Derived, rotated or cropped layers are unsupported, and so are different profiles.
    init(of item: Item, in meta: MetaBox, _ reader: BoundedReader) throws(HeaderFault) {
        let sources = meta.references(from: item.identifier, as: "dimg")
        guard 1...Self.maximumLayers ~= sources.count else {
            throw .unsupported("an overlay of \(sources.count) pictures")
        }
        guard try meta.alphaPlane(of: item.identifier) == nil else {
            throw .unsupported("an overlay with an alpha plane of its own")
        }
        let place = try meta.locations(of: [item.identifier])[item.identifier] ?? []
        let description = try OverlayDescription(place, of: reader, layers: sources.count)
        guard description.size == item.extents else {
            throw .corrupt("an overlay of \(description.size) pixels", at: meta.start)
        }
        (size, fill) = (description.size, description.fill)
        var layers: [Layer] = []
        for (source, offset) in zip(sources, description.offsets) {
            let picture = try Self.layer(source, in: meta, reader)
            layers.append(Layer(picture: picture, column: offset.column, row: offset.row))
        }
        self.layers = layers
        guard layers.allSatisfy({ $0.picture.colour.profile == layers[0].picture.colour.profile })
        else { throw .unsupported("an overlay of pictures with different profiles") }
    }

    private static func layer(
        _ identifier: ItemIdentifier, in meta: MetaBox, _ reader: BoundedReader
    ) throws(HeaderFault) -> StoredPicture {
        let item = try meta.item(identifier)
        try item.checkSupported()
        guard item.type == "hvc1" || item.type == "av01" else {
            throw .unsupported("an overlay of a picture coded as '\(item.type)'")
        }
        guard let extents = item.extents,
            try item.transformation == ItemTransformation(of: extents)
        else { throw .unsupported("an overlay of rotated or cropped pictures") }
        let picture = try StoredPicture(of: item, in: meta, reader)
        guard !picture.frames.isEmpty else {
            throw .corrupt("an overlay of a picture without a frame header", at: meta.start)
        }
        return picture
    }
}

/// Contents of an overlay item (ISO/IEC 23008-12, 6.6.2.2.2).
private struct OverlayDescription {
    var size = PixelSize(width: 0, height: 0)
    var fill: [UInt16] = []
    var offsets: [(column: Int, row: Int)] = []

    init(
        _ extents: [Range<Int>], of reader: BoundedReader, layers: Int
    ) throws(HeaderFault) {
        let start = extents.first?.lowerBound ?? 0
        // Version, flags, four colours, two sides, and two offsets for each layer.
        let longest = 2 + 8 + 8 + 8 * layers
        var bytes: [UInt8] = []
        for extent in extents {
            for offset in extent.prefix(longest - bytes.count) {
                bytes.append(try reader.byte(at: offset))
            }
        }
        let fieldBytes = bytes.count > 1 && bytes[1] & 1 == 1 ? 4 : 2
        guard bytes.count >= 10 + fieldBytes * (2 + 2 * layers), bytes[0] == 0 else {
            throw .corrupt("an overlay without its description", at: start)
        }
        for index in 0..<3 {
            fill.append(UInt16(bytes[2 + 2 * index]) << 8 | UInt16(bytes[3 + 2 * index]))
        }
        func field(_ index: Int) -> UInt32 {
            bytes.dropFirst(10 + index * fieldBytes).prefix(fieldBytes).reduce(0) {
                $0 << 8 | UInt32($1)
            }
        }
        func offset(_ index: Int) -> Int {
            let bits = field(index)
            return fieldBytes == 2
                ? Int(Int16(truncatingIfNeeded: bits)) : Int(Int32(bitPattern: bits))
        }
        size = try PixelSize(claimed: Int(field(0)), Int(field(1)))
        for layer in 0..<layers {
            offsets.append((column: offset(2 + 2 * layer), row: offset(3 + 2 * layer)))
        }
    }
}
