internal import AttachmentModel

/// Picture before crop and rotation: its colours, and an optional alpha plane.
package struct StoredPicture: Sendable {
    /// The picture without its alpha plane.
    package let colour: CodedMosaic
    /// Alpha plane; nil for opaque pictures.
    package let alpha: CodedMosaic?
    /// Matching parts of the picture and the plane.
    package let alphaPlacement: AlphaPlacement?
    /// True if the samples are premultiplied by alpha.
    package let isPremultiplied: Bool

    /// Locates the coded parts of a coded item or of a grid of coded items.
    init(of item: Item, in meta: MetaBox, _ reader: BoundedReader) throws(HeaderFault) {
        colour = try CodedMosaic(of: item, in: meta, reader)
        let plane = try meta.alphaPlane(of: item.identifier)
        alpha = try plane.map { (plane) throws(HeaderFault) in
            try CodedMosaic(of: plane, in: meta, reader)
        }
        alphaPlacement = try plane.map { (plane) throws(HeaderFault) in
            try AlphaPlacement(of: plane, over: item)
        }
        isPremultiplied =
            plane.map { meta.references(from: item.identifier, as: "prem").contains($0.identifier) }
            ?? false
    }

    /// Headers of all kinds of decoded frames; empty if one is missing.
    package var frames: [FrameHeader] {
        let frames = [colour.frame] + (alpha.map { [$0.frame] } ?? [])
        return frames.contains { $0 == nil } ? [] : frames.compactMap { $0 }
    }
}

/// Matching parts of a picture and its alpha plane.
package struct AlphaPlacement: Sendable, Hashable {
    /// Part of the stored picture.
    package let picture: ItemTransformation
    /// Part of the stored plane.
    package let plane: ItemTransformation

    /// Matches an alpha plane to its picture.
    ///
    /// A rotated or cropped plane covers the visible part of the picture. A plane without
    /// transformations covers the whole stored picture, because writers may omit them. A plane with
    /// another orientation than its picture is unsupported.
    init(of plane: Item, over item: Item) throws(HeaderFault) {
        guard let size = item.extents, let planeSize = plane.extents,
            let seen = try item.transformation, let planeSeen = try plane.transformation
        else { throw .unsupported("a HEIF picture whose alpha has no size") }
        let whole = ItemTransformation(of: planeSize)
        guard planeSeen != whole else {
            (picture, self.plane) = (ItemTransformation(of: size), whole)
            return
        }
        guard planeSeen.orientation == seen.orientation else {
            throw .unsupported("a HEIF picture whose alpha has another orientation")
        }
        (picture, self.plane) = (seen, planeSeen)
    }
}

extension MetaBox {
    func alphaPlane(of identifier: ItemIdentifier) throws(HeaderFault) -> Item? {
        for reference in references
        where reference.type == "auxl" && reference.to.contains(identifier) {
            let plane = try item(reference.from)
            guard plane.isAlphaPlane else { continue }
            try plane.checkSupported()
            return plane
        }
        return nil
    }
}
