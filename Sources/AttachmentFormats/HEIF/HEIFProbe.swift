internal import AttachmentContainer
internal import AttachmentModel

/// Parser for HEIF and AVIF headers: the primary item and its properties (ISO/IEC 23008-12).
///
/// The coded item, not the brand, distinguishes HEIC from AVIF. Item properties alone determine the
/// orientation; Exif is ignored. Files with tables or frame headers that the decoder would reject
/// are rejected here.
enum HEIFProbe {
    /// Parses a file that begins with a file type box.
    ///
    /// The frame count is nil if the file is an image sequence too.
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        var boxes = BoxSequence(Cursor(reader, from: 0))
        guard let first = try boxes.next() else { throw .truncated(at: reader.length) }
        let fileType = try FileType(first)
        guard fileType.isPicture else {
            throw .unsupported("it looks like a movie (brand '\(fileType.major)')")
        }
        let meta = try MetaBox(among: &boxes, of: reader)
        let picture = try HEIFPicture(of: meta.primary, in: meta, reader)
        let profileBytes = picture.profile?.count ?? 0
        return AttachmentHeader(
            picture.coding, storedSize: picture.transformation.size,
            orientation: picture.transformation.orientation, colourModel: picture.colourModel,
            hasAlpha: picture.hasAlpha, bitsPerSample: picture.bitsPerSample,
            frameCount: fileType.isSequence ? nil : 1, profileBytes: profileBytes,
            hasMetadata: profileBytes > 0 || meta.hasMetadata,
            preview: preview(of: meta, picture.transformation.orientation, reader),
            uncroppedSize: picture.size == picture.transformation.size ? nil : picture.size,
            fileBytes: ByteCount(reader.length))
    }

    /// First thumbnail of the primary item; nil if missing or undecodable.
    private static func preview(
        of meta: MetaBox, _ orientation: Orientation, _ reader: BoundedReader
    ) -> EmbeddedPreview? {
        guard let identifier = meta.thumbnail,
            let thumbnail = try? HEIFPicture(of: identifier, in: meta, reader),
            thumbnail.coding.layout == .single, !thumbnail.frames.isEmpty
        else { return nil }
        let seen = thumbnail.transformation
        // Previews share the large picture's orientation; a HEIF thumbnail has its own.
        return EmbeddedPreview(
            thumbnail.coding, size: orientation.upright(seen.orientation.upright(seen.size)))
    }
}

extension HEIFPicture {
    fileprivate var coding: HEIFCoding {
        let colour = content.first.colour
        let layout: HEIFCoding.Layout =
            switch content {
            case .picture: isGrid ? .grid(tile: colour.tileSize) : .single
            case .overlay: .overlay
            }
        return HEIFCoding(
            isAV1: colour.isAV1, layout, colour.chromaSubsampling, frames: frames)
    }

    fileprivate var hasAlpha: Bool {
        switch content {
        case .picture(let picture): picture.alpha != nil
        case .overlay: false
        }
    }

    fileprivate var colourModel: ColourModel {
        switch content {
        case .picture(let picture): picture.colour.isMonochrome ? .grey : .rgb
        case .overlay: .rgb
        }
    }

    fileprivate var bitsPerSample: Int {
        switch content {
        case .picture(let picture): picture.colour.bitsPerSample
        case .overlay(let overlay):
            overlay.layers.reduce(0) { max($0, $1.picture.colour.bitsPerSample) }
        }
    }
}

extension PictureFormat {
    package static let heif = PictureFormat(
        "????ftyp", recognizes: FileType.isPicture, probe: HEIFProbe.header)
}
