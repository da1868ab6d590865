internal import AttachmentContainer
internal import AttachmentModel

struct StoredPicture {
    let colour: CodedMosaic
    let alpha: Alpha?

    struct Alpha {
        let mosaic: CodedMosaic
        let placement: AlphaPlacement
        let isPremultiplied: Bool
    }

    init(colour: CodedMosaic, alpha: Alpha?) {
        (self.colour, self.alpha) = (colour, alpha)
    }

    init(of item: Item, in meta: MetaBox, _ reader: BoundedReader) throws(HeaderFault) {
        colour = try CodedMosaic(of: item, in: meta, reader)
        alpha = try meta.alphaPlane(of: item.identifier).map { (plane) throws(HeaderFault) in
            Alpha(
                mosaic: try CodedMosaic(of: plane, in: meta, reader),
                placement: try AlphaPlacement(of: plane, over: item),
                isPremultiplied: meta.references(from: item.identifier, as: "prem")
                    .contains(plane.identifier))
        }
    }

    var frames: [FrameHeader] {
        let frames = [colour.frame] + (alpha.map { [$0.mosaic.frame] } ?? [])
        return frames.contains { $0 == nil } ? [] : frames.compactMap { $0 }
    }
}

struct AlphaPlacement {
    let picture: ItemTransformation
    let plane: ItemTransformation

    /// A plane of the picture's size.
    init(covering size: PixelSize) {
        (picture, plane) = (ItemTransformation(of: size), ItemTransformation(of: size))
    }

    init(of plane: Item, over item: Item) throws(HeaderFault) {
        // A rotated or cropped plane covers the visible part of the picture. A plane without
        // transformations covers the whole stored picture, because writers may omit them.
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
