internal import AttachmentPlanning

/// The primary picture of a HEIF or AVIF file: where its coded pieces lie, and how they make a
/// picture (ISO/IEC 23008-12).
///
/// It holds no sample and no coded byte. Overlays, pictures coded otherwise than by HEVC or AV1,
/// tiles that are themselves made of others, and properties that must be understood and are not,
/// are refused as unsupported.
package struct HEIFPicture: Sendable {
    /// The picture without its alpha plane.
    package let colour: CodedMosaic
    /// The alpha plane; nil when the picture is opaque.
    package let alpha: CodedMosaic?
    /// Whether the samples of the picture were multiplied by its alpha.
    package let isPremultiplied: Bool
    /// What is seen of the picture and how it must be turned.
    package let transformation: ItemTransformation
    /// Where the ICC profile lies in the file; nil when there is none.
    package let profile: Range<Int>?

    /// Reads the tables of a file that begins with a file type box.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's, and its offset where
    ///     it is.
    ///   - length: Its length, in bytes.
    /// - Throws: `HeaderFault` of any kind.
    package init(descriptor: CInt, length: Int) throws(HeaderFault) {
        let reader = BoundedReader(descriptor: descriptor, length: length)
        var boxes = BoxSequence(Cursor(reader, from: 0))
        guard let first = try boxes.next() else { throw .truncated(at: length) }
        _ = try FileType(first)
        let meta = try MetaBox(among: &boxes, of: reader)
        let chain = try Self.chain(from: meta.primary, in: meta)
        guard let base = chain.last, var transformation = try base.transformation else {
            throw .corrupt("a picture without its size", at: meta.start)
        }
        // What an identity does to its picture comes after what the picture does to itself.
        for identity in chain.dropLast().reversed() {
            for property in identity.properties { try transformation.append(property) }
        }
        colour = try CodedMosaic(of: base, in: meta, reader)
        let plane = try Self.alphaPlane(of: chain, in: meta)
        alpha = try plane.map { (plane) throws(HeaderFault) in
            try plane.checkLies(over: base)
            return try CodedMosaic(of: plane, in: meta, reader)
        }
        isPremultiplied =
            plane.map { meta.references(from: base.identifier, as: "prem").contains($0.identifier) }
            ?? false
        self.transformation = transformation
        profile = chain.lazy.compactMap(\.profile).first ?? colour.profile
    }

    /// The primary item, and what lies behind it as long as that is an identity.
    private static func chain(
        from primary: ItemIdentifier, in meta: MetaBox
    ) throws(HeaderFault) -> [Item] {
        var chain: [Item] = []
        var next: ItemIdentifier? = primary
        while let identifier = next {
            guard chain.count <= HEIFProbe.maximumDerivations else {
                throw .corrupt(
                    "a picture derived more than \(HEIFProbe.maximumDerivations) times",
                    at: meta.start)
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

    /// The alpha plane of the picture, which must lie as the stored picture does.
    private static func alphaPlane(
        of chain: [Item], in meta: MetaBox
    ) throws(HeaderFault) -> Item? {
        for (place, item) in chain.enumerated() {
            for reference in meta.references
            where reference.type == "auxl" && reference.to.contains(item.identifier) {
                let plane = try meta.item(reference.from)
                guard plane.isAlphaPlane else { continue }
                try plane.checkUnderstood()
                guard place == chain.count - 1 else {
                    throw .unsupported("a HEIF picture whose alpha belongs to a derived picture")
                }
                return plane
            }
        }
        return nil
    }
}

extension Item {
    /// Checks that an alpha plane is turned and cropped as its picture is.
    ///
    /// Writers repeat what is said of the picture, or leave it out; it means the same.
    fileprivate func checkLies(over picture: Item) throws(HeaderFault) {
        guard let own = try transformation, let extents, own != ItemTransformation(of: extents),
            try own != picture.transformation
        else { return }
        throw .unsupported("a HEIF picture whose alpha is turned or cropped otherwise")
    }

    /// Checks that nothing is said of the item that must be understood and is not.
    ///
    /// - Throws: `unsupported`.
    func checkUnderstood() throws(HeaderFault) {
        guard let unknownEssential else { return }
        throw .unsupported("a HEIF picture that needs '\(unknownEssential)' to be understood")
    }
}
