internal import AttachmentContainer
internal import AttachmentModel

/// Coded parts of a picture and their composition (ISO/IEC 23008-12), without samples.
struct HEIFPicture {
    /// A coded picture or a grid; of an overlay, the first layer.
    let first: StoredPicture
    let overlay: Overlay?
    let transformation: ItemTransformation
    let profile: Range<Int>?
    let isGrid: Bool
    /// The picture's item and the items that it derives from, up to the coded one or mosaic.
    let items: [ItemIdentifier]

    init(isThumbnail: Bool = false, in file: OpenFile) throws(HeaderFault) {
        let reader = BoundedReader(file)
        guard let meta = try MetaBox.find(in: reader) else {
            try self.init(HEIFSequence(in: reader))
            return
        }
        guard let item = isThumbnail ? meta.thumbnail : meta.primary else {
            throw .corrupt("a picture without its thumbnail", at: meta.start)
        }
        try self.init(of: item, in: meta, reader)
    }

    init(
        of identifier: ItemIdentifier, in meta: MetaBox, _ reader: BoundedReader
    ) throws(HeaderFault) {
        let chain = try Self.chain(from: identifier, in: meta)
        guard let base = chain.last, var transformation = try base.transformation else {
            throw .corrupt("a picture without its size", at: meta.start)
        }
        // An identity's or a gain-map picture's transformations follow its source's.
        for identity in chain.dropLast().reversed() {
            guard try meta.alphaPlane(of: identity.identifier) == nil else {
                throw .unsupported("a HEIF picture whose alpha belongs to a derived picture")
            }
            for property in identity.properties { try transformation.append(property) }
        }
        overlay = base.type == "iovl" ? try Overlay(of: base, in: meta, reader) : nil
        first =
            if let overlay {
                overlay.layers[0].picture
            } else {
                try StoredPicture(of: base, in: meta, reader)
            }
        self.transformation = transformation
        isGrid = base.type == "grid"
        // A picture with a gain map does not have its base's profile.
        profile =
            chain.lazy.filter { $0.type != "tmap" }.compactMap(\.profile).first
            ?? first.colour.profile
        items = chain.map(\.identifier)
    }

    init(
        first: StoredPicture, overlay: Overlay?, transformation: ItemTransformation,
        profile: Range<Int>?, isGrid: Bool, items: [ItemIdentifier]
    ) {
        (self.first, self.overlay, self.transformation) = (first, overlay, transformation)
        (self.profile, self.isGrid, self.items) = (profile, isGrid, items)
    }

    var size: PixelSize { overlay?.size ?? first.colour.size }

    /// Headers of all kinds of decoded frames; empty if one is missing.
    var frames: [FrameHeader] {
        overlay.map { $0.layers.flatMap(\.picture.frames) } ?? first.frames
    }

    private static func chain(
        from primary: ItemIdentifier, in meta: MetaBox
    ) throws(HeaderFault) -> [Item] {
        var chain: [Item] = []
        var next: ItemIdentifier? = primary
        while let identifier = next {
            guard chain.count <= maximumDerivations else {
                throw .corrupt(
                    "a picture derived more than \(maximumDerivations) times", at: meta.start)
            }
            let item = try meta.item(identifier)
            try item.checkSupported()
            chain.append(item)
            next = nil
            // A picture with a gain map is shown by its base, the first source.
            guard item.type == "iden" || item.type == "tmap" else { continue }
            next = meta.references(from: identifier, as: "dimg").first
            guard next != nil else {
                throw .corrupt("a derived picture without a source", at: meta.start)
            }
        }
        return chain
    }

    /// Limit on derivations; real files have one.
    private static let maximumDerivations = 8
}
