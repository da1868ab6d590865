internal import AttachmentContainer
internal import AttachmentModel

/// Files that the decoder would reject are rejected here (ISO/IEC 23008-12).
///
/// The coded item, not the brand, distinguishes HEIC from AVIF, and properties alone give the
/// orientation.
enum HEIFProbe {
    /// The frame count is nil if the file is an image sequence too.
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        let (fileType, boxes) = try FileType.read(reader)
        guard fileType.isPicture else {
            throw .unsupported("it looks like a movie (brand '\(fileType.major)')")
        }
        let meta = try MetaBox(among: boxes, of: reader)
        let picture = try HEIFPicture(of: meta.primary, in: meta, reader)
        let profileBytes = picture.profile?.count ?? 0
        return AttachmentHeader(
            picture.coding, storedSize: picture.transformation.size,
            orientation: picture.transformation.orientation,
            colourModel: picture.overlay == nil && picture.first.colour.isMonochrome ? .grey : .rgb,
            hasAlpha: picture.overlay == nil && picture.first.alpha != nil,
            bitsPerSample: picture.bitsPerSample, frameCount: fileType.isSequence ? nil : 1,
            profileBytes: profileBytes, hasMetadata: profileBytes > 0 || meta.hasMetadata,
            preview: preview(of: meta, picture.transformation.orientation, reader),
            gainMap: meta.gainMap(of: picture.items),
            uncroppedSize: picture.size == picture.transformation.size ? nil : picture.size,
            fileBytes: ByteCount(reader.length))
    }

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
        let layout: HEIFCoding.Layout =
            overlay != nil ? .overlay : isGrid ? .grid(tile: first.colour.tileSize) : .single
        return HEIFCoding(
            isAV1: first.colour.isAV1, layout, first.colour.chromaSubsampling, frames: frames)
    }

    fileprivate var bitsPerSample: Int {
        guard let overlay else { return first.colour.bitsPerSample }
        return overlay.layers.reduce(0) { max($0, $1.picture.colour.bitsPerSample) }
    }
}

extension PictureFormat {
    package static let heif = PictureFormat(
        "????ftyp",
        recognizes: { (reader) throws(HeaderFault) in try FileType.read(reader).fileType.isPicture
        },
        probe: HEIFProbe.header)
}
