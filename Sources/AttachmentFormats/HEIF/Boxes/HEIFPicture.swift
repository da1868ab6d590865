package import AttachmentContainer
package import AttachmentModel

/// Picture of a HEIF or AVIF file: its coded parts and their composition (ISO/IEC 23008-12).
///
/// It holds no samples and no coded bytes. Unsupported are codecs other than HEVC and AV1, derived
/// tiles and layers, and unknown essential properties.
package struct HEIFPicture: Sendable {
    package enum Part: Sendable {
        case primary
        case thumbnail
    }

    /// Composition of the coded parts.
    package enum Content: Sendable {
        /// One coded picture, or a grid.
        case picture(StoredPicture)
        case overlay(Overlay)
    }

    package let content: Content
    /// Visible part of the stored picture, and its orientation.
    package let transformation: ItemTransformation
    /// File range of the ICC profile; nil if absent.
    package let profile: Range<Int>?
    let isGrid: Bool

    /// Reads the tables of a file that begins with a file type box.
    package init(
        _ part: Part = .primary, in file: OpenFile
    ) throws(HeaderFault) {
        let reader = BoundedReader(file)
        var boxes = BoxSequence(Cursor(reader, from: 0))
        guard let first = try boxes.next() else { throw .truncated(at: file.length) }
        _ = try FileType(first)
        let meta = try MetaBox(among: &boxes, of: reader)
        guard let item = part == .primary ? meta.primary : meta.thumbnail else {
            throw .corrupt("a picture without its thumbnail", at: meta.start)
        }
        try self.init(of: item, in: meta, reader)
    }

    /// Locates the parts of the picture with the given item identifier.
    init(
        of identifier: ItemIdentifier, in meta: MetaBox, _ reader: BoundedReader
    ) throws(HeaderFault) {
        let chain = try Self.chain(from: identifier, in: meta)
        guard let base = chain.last, var transformation = try base.transformation else {
            throw .corrupt("a picture without its size", at: meta.start)
        }
        // An identity's transformations follow those of its source.
        for identity in chain.dropLast().reversed() {
            guard try meta.alphaPlane(of: identity.identifier) == nil else {
                throw .unsupported("a HEIF picture whose alpha belongs to a derived picture")
            }
            for property in identity.properties { try transformation.append(property) }
        }
        content =
            base.type == "iovl"
            ? .overlay(try Overlay(of: base, in: meta, reader))
            : .picture(try StoredPicture(of: base, in: meta, reader))
        self.transformation = transformation
        isGrid = base.type == "grid"
        profile = chain.lazy.compactMap(\.profile).first ?? content.first.colour.profile
    }

    /// Size before any crop or rotation, in pixels.
    package var size: PixelSize {
        switch content {
        case .picture(let picture): picture.colour.size
        case .overlay(let overlay): overlay.size
        }
    }

    /// Headers of all kinds of decoded frames; empty if one is missing.
    package var frames: [FrameHeader] {
        switch content {
        case .picture(let picture): picture.frames
        case .overlay(let overlay): overlay.layers.flatMap(\.picture.frames)
        }
    }

    /// The item and its sources, as long as they are identity derivations.
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
            guard item.type == "iden" else { continue }
            next = meta.references(from: identifier, as: "dimg").first
            guard next != nil else {
                throw .corrupt("a derived picture without a source", at: meta.start)
            }
        }
        return chain
    }

    /// Limit on identity derivations between the primary item and a picture; real files have one.
    private static let maximumDerivations = 8
}

extension HEIFPicture.Content {
    /// The picture, or the first layer of the overlay; overlays are never empty.
    package var first: StoredPicture {
        switch self {
        case .picture(let picture): picture
        case .overlay(let overlay): overlay.layers[0].picture
        }
    }
}

extension MetaBox {
    var thumbnail: ItemIdentifier? {
        references.first { $0.type == "thmb" && $0.to.contains(primary) }?.from
    }
}

extension Item {
    /// Throws `unsupported` for unknown essential properties.
    func checkSupported() throws(HeaderFault) {
        guard let unknownEssential else { return }
        throw .unsupported(
            "a HEIF picture with the unknown essential property '\(unknownEssential)'")
    }
}
