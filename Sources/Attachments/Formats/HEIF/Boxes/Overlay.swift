internal import AttachmentContainer
internal import AttachmentModel

/// Pictures placed on a canvas of one colour, first to last (ISO/IEC 23008-12, 6.6.2.2).
struct Overlay {
    struct Layer {
        let picture: StoredPicture
        let column: Int
        let row: Int
    }

    /// Above any known picture, which has two; each layer may be held while rows are read.
    private static let maximumLayers = 16

    let size: PixelSize
    /// RGB of 16 bits each; the opacity is ignored, as in libheif.
    let fill: [UInt16]
    /// Never empty.
    let layers: [Layer]

    /// Derived, rotated or cropped layers are unsupported, and so are different profiles.
    init(of item: Item, in meta: MetaBox, _ reader: BoundedReader) throws(HeaderFault) {
        let sources = meta.references(from: item.identifier, as: "dimg")
        guard 1...Self.maximumLayers ~= sources.count else {
            throw .unsupported("an overlay of \(sources.count) pictures")
        }
        guard try meta.alphaPlane(of: item.identifier) == nil else {
            throw .unsupported("an overlay with an alpha plane of its own")
        }
        // Version, flags and four colours (6.6.2.2.2); two sides, and two offsets for each layer.
        let description = try DerivedItem(
            try meta.locations(of: [item.identifier])[item.identifier] ?? [], of: reader,
            headBytes: 10, fields: 2 + 2 * sources.count, name: "an overlay")
        size = try description.claimedSize()
        guard size == item.extents else {
            throw .corrupt("an overlay of \(size) pixels", at: meta.start)
        }
        fill = (1...3).map { colour in
            UInt16(description.bytes[2 * colour]) << 8 | UInt16(description.bytes[2 * colour + 1])
        }
        var layers: [Layer] = []
        for (index, source) in sources.enumerated() {
            layers.append(
                Layer(
                    picture: try Self.layer(source, in: meta, reader),
                    column: description.signedField(2 + 2 * index),
                    row: description.signedField(3 + 2 * index)))
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
        guard item.isCoded else {
            throw .unsupported("an overlay of a picture coded as '\(item.type)'")
        }
        guard let extents = item.extents, try item.transformation == ItemTransformation(of: extents)
        else { throw .unsupported("an overlay of rotated or cropped pictures") }
        let picture = try StoredPicture(of: item, in: meta, reader)
        guard !picture.frames.isEmpty else {
            throw .corrupt("an overlay of a picture without a frame header", at: meta.start)
        }
        return picture
    }
}
