internal import AttachmentContainer
internal import AttachmentPlanning

/// Reads a HEIF or AVIF header: the primary item and what is said of it (ISO/IEC 23008-12).
///
/// Whether the picture is HEIC or AVIF is told by its coded item, not by the brands. Exif is not
/// asked for the orientation: in HEIF the properties of the item alone turn it.
enum HEIFProbe {
    /// How many derivations may lie between the primary item and a coded one; in real files, one.
    static let maximumDerivations = 8

    /// Reads the header of a file that begins with a file type box.
    ///
    /// - Parameter reader: The file.
    /// - Returns: What the header says of the primary item. Its frame count is nil when the file is
    ///   an image sequence too.
    /// - Throws: `HeaderFault` of any kind.
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        var boxes = BoxSequence(Cursor(reader, from: 0))
        guard let first = try boxes.next() else { throw .truncated(at: reader.length) }
        let fileType = try FileType(first)
        guard fileType.isPicture else {
            throw .unsupported("it looks like a movie (brand '\(fileType.major)')")
        }
        let meta = try MetaBox(among: &boxes, of: reader)
        let primary = try meta.item(meta.primary)
        let coded = try codedItem(behind: primary, in: meta)
        guard let codec = coded.codec else {
            throw .corrupt("a coded picture without its configuration", at: meta.start)
        }
        guard let transformation = try primary.transformation else {
            throw .corrupt("a picture without its size", at: meta.start)
        }
        let profileBytes = (primary.profile ?? coded.profile)?.count ?? 0
        return AttachmentHeader(
            format: coded.type == "av01" ? .avif : .heic,
            coding: primary.type == "grid" ? .grid : .single, storedSize: transformation.size,
            orientation: transformation.orientation,
            colourModel: codec.chromaSubsampling == nil ? .grey : .rgb,
            hasAlpha: try hasAlpha(primary, in: meta), bitsPerSample: codec.bitsPerSample,
            frameCount: fileType.isSequence ? nil : 1, profileBytes: profileBytes,
            hasMetadata: profileBytes > 0 || meta.hasMetadata,
            chromaSubsampling: codec.chromaSubsampling,
            unitSize: primary.type == "grid" ? coded.extents : nil,
            preview: try preview(of: primary, in: meta), fileBytes: ByteCount(reader.length))
    }

    /// Follows the derivation of a grid, an overlay or an identity to the first coded item.
    private static func codedItem(
        behind primary: Item, in meta: MetaBox
    ) throws(HeaderFault) -> Item {
        var item = primary
        for _ in 0...maximumDerivations {
            switch item.type {
            case "hvc1", "av01":
                return item
            case "grid", "iovl", "iden":
                guard let source = meta.references(from: item.identifier, as: "dimg").first else {
                    throw .corrupt("a derived picture without a source", at: meta.start)
                }
                item = try meta.item(source)
            default:
                throw .unsupported("a HEIF picture coded as '\(item.type)'")
            }
        }
        throw .corrupt("a picture derived more than \(maximumDerivations) times", at: meta.start)
    }

    /// The first thumbnail of the primary item, which is the one that decoders take.
    private static func preview(
        of primary: Item, in meta: MetaBox
    ) throws(HeaderFault) -> EmbeddedPreview? {
        for reference in meta.references
        where reference.type == "thmb" && reference.to.contains(primary.identifier) {
            if let size = try meta.item(reference.from).extents {
                return EmbeddedPreview(size: size)
            }
        }
        return nil
    }

    private static func hasAlpha(_ item: Item, in meta: MetaBox) throws(HeaderFault) -> Bool {
        for reference in meta.references
        where reference.type == "auxl" && reference.to.contains(item.identifier) {
            if try meta.item(reference.from).isAlphaPlane { return true }
        }
        return false
    }
}
