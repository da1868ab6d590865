package import AttachmentContainer
package import AttachmentPlanning

/// A picture of a HEIF or AVIF file: where its coded pieces lie, and how they make a picture (ISO/IEC
/// 23008-12).
///
/// It holds no sample and no coded byte. Pictures coded otherwise than by HEVC or AV1, tiles and layers
/// that are themselves made of others, and unknown essential properties are refused as unsupported.
package struct HEIFPicture: Sendable {
    /// Which picture of a file.
    package enum Part: Sendable {
        /// The primary item.
        case primary
        /// The first thumbnail of the primary item.
        case thumbnail
    }

    /// How the coded pieces make a picture.
    package enum Content: Sendable {
        /// One coded picture, or a grid of them.
        case picture(StoredPicture)
        /// Pictures on a canvas.
        case overlay(Overlay)
    }

    /// How the coded pieces make a picture.
    package let content: Content
    /// The seen part of the stored picture, and its orientation.
    package let transformation: ItemTransformation
    /// Where the ICC profile lies in the file; nil when there is none.
    package let profile: Range<Int>?
    /// Whether the picture is a grid.
    let isGrid: Bool

    /// Reads the tables of a file that begins with a file type box.
    ///
    /// - Parameters:
    ///   - part: Which picture of the file. The default is the primary item.
    ///   - descriptor: A regular file, open for reading; it stays the caller's, and its offset where
    ///     it is.
    ///   - length: Its length, in bytes.
    /// - Throws: `HeaderFault` of any kind.
    package init(
        _ part: Part = .primary, descriptor: CInt, length: Int
    ) throws(HeaderFault) {
        let reader = BoundedReader(descriptor: descriptor, length: length)
        var boxes = BoxSequence(Cursor(reader, from: 0))
        guard let first = try boxes.next() else { throw .truncated(at: length) }
        _ = try FileType(first)
        let meta = try MetaBox(among: &boxes, of: reader)
        guard let item = part == .primary ? meta.primary : meta.thumbnail else {
            throw .corrupt("a picture without its thumbnail", at: meta.start)
        }
        try self.init(of: item, in: meta, reader)
    }

    /// Finds the pieces of a picture.
    ///
    /// - Parameters:
    ///   - identifier: The item that stands for the picture.
    ///   - meta: The items of the file.
    ///   - reader: The file.
    /// - Throws: `HeaderFault` of any kind.
    init(
        of identifier: ItemIdentifier, in meta: MetaBox, _ reader: BoundedReader
    ) throws(HeaderFault) {
        let chain = try Self.chain(from: identifier, in: meta)
        guard let base = chain.last, var transformation = try base.transformation else {
            throw .corrupt("a picture without its size", at: meta.start)
        }
        // What an identity does to its picture comes after what the picture does to itself.
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

    /// The size before anything is cropped or turned, in pixels.
    package var size: PixelSize {
        switch content {
        case .picture(let picture): picture.colour.size
        case .overlay(let overlay): overlay.size
        }
    }

    /// The headers of all kinds of frames that are decoded; empty where one is missing.
    package var frames: [FrameHeader] {
        switch content {
        case .picture(let picture): picture.frames
        case .overlay(let overlay): overlay.layers.flatMap(\.picture.frames)
        }
    }

    /// The item, and the items behind it as long as they are identities.
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
            try item.checkUnderstood()
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

    /// How many identities may lie between the primary item and a picture; in real files, one.
    private static let maximumDerivations = 8
}

extension HEIFPicture.Content {
    /// The picture, or the first of the overlay, which has at least one.
    package var first: StoredPicture {
        switch self {
        case .picture(let picture): picture
        case .overlay(let overlay): overlay.layers[0].picture
        }
    }
}

extension MetaBox {
    /// The first thumbnail of the primary item; nil when there is none.
    var thumbnail: ItemIdentifier? {
        references.first { $0.type == "thmb" && $0.to.contains(primary) }?.from
    }
}

extension Item {
    /// Checks that nothing is said of the item that must be understood and is not.
    ///
    /// - Throws: `unsupported`.
    func checkUnderstood() throws(HeaderFault) {
        guard let unknownEssential else { return }
        throw .unsupported("a HEIF picture that needs '\(unknownEssential)' to be understood")
    }
}
