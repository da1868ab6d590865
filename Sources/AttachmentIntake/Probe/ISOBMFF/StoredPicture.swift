package import AttachmentPlanning

/// A picture before it is cropped and turned: its colours, and its alpha plane where it has one.
package struct StoredPicture: Sendable {
    /// The picture without its alpha plane.
    package let colour: CodedMosaic
    /// The alpha plane; nil when the picture is opaque.
    package let alpha: CodedMosaic?
    /// The parts of picture and plane that lie over each other.
    package let alphaPlacement: AlphaPlacement?
    /// Whether the samples of the picture were multiplied by its alpha.
    package let isPremultiplied: Bool

    /// Finds the coded pieces of an item.
    ///
    /// - Parameters:
    ///   - item: A coded item, or a grid of coded items.
    ///   - meta: The items of the file.
    ///   - reader: The file.
    /// - Throws: `HeaderFault` of any kind.
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

    /// The headers of all kinds of frames that are decoded; empty where one is missing.
    package var frames: [FrameHeader] {
        let frames = [colour.frame] + (alpha.map { [$0.frame] } ?? [])
        return frames.contains { $0 == nil } ? [] : frames.compactMap { $0 }
    }
}

/// The parts of a picture and of its alpha plane that lie over each other.
package struct AlphaPlacement: Sendable, Hashable {
    /// The part of the stored picture.
    package let picture: ItemTransformation
    /// The part of the stored plane.
    package let plane: ItemTransformation

    /// Compares what is said of an alpha plane and of its picture.
    ///
    /// A plane that is turned and cropped itself lies over what is seen of the picture. Writers may
    /// leave all of it out for the plane; then it lies over the whole stored picture.
    ///
    /// - Parameters:
    ///   - plane: The alpha plane.
    ///   - item: The picture.
    /// - Throws: `unsupported` for a plane that is turned otherwise than its picture.
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
            throw .unsupported("a HEIF picture whose alpha is turned otherwise")
        }
        (picture, self.plane) = (seen, planeSeen)
    }
}

extension MetaBox {
    /// The alpha plane of an item; nil when it has none.
    ///
    /// - Parameter identifier: The item.
    /// - Returns: The plane.
    /// - Throws: `unsupported` for a plane with unknown essential properties; `corrupt`.
    func alphaPlane(of identifier: ItemIdentifier) throws(HeaderFault) -> Item? {
        for reference in references
        where reference.type == "auxl" && reference.to.contains(identifier) {
            let plane = try item(reference.from)
            guard plane.isAlphaPlane else { continue }
            try plane.checkUnderstood()
            return plane
        }
        return nil
    }
}
