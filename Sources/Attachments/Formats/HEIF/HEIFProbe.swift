internal import AttachmentContainer
internal import AttachmentModel

/// Files that the decoder would reject are rejected here (ISO/IEC 23008-12).
///
/// The coded item, not the brand, distinguishes HEIC from AVIF, and properties alone give the
/// orientation.
enum HEIFProbe {
    /// The frame count is nil if the file has a sequence that is not converted.
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        let fileType = try FileType.read(reader).fileType
        guard fileType.isPicture else {
            throw .unsupported("it looks like a movie (brand '\(fileType.major)')")
        }
        guard let meta = try MetaBox.find(in: reader) else {
            let sequence = try HEIFSequence(in: reader)
            return header(
                of: try HEIFPicture(sequence), sequence, isSequence: true, isFirstFrame: true,
                hasMetadata: false, reader)
        }
        let picture = try HEIFPicture(of: meta.primary, in: meta, reader)
        // Damaged tracks leave the still picture.
        let sequence = fileType.isSequence ? try? HEIFSequence(in: reader) : nil
        var header = header(
            of: picture, sequence, isSequence: fileType.isSequence,
            hasMetadata: meta.hasMetadata, reader)
        header.preview = preview(of: meta, picture.transformation.orientation, reader)
        header.gainMap = meta.gainMap(of: picture.items)
        return header
    }

    private static func header(
        of picture: HEIFPicture, _ sequence: HEIFSequence?, isSequence: Bool,
        isFirstFrame: Bool = false, hasMetadata: Bool, _ reader: BoundedReader
    ) -> AttachmentHeader {
        let profileBytes = picture.profile?.count ?? 0
        var coding = picture.coding
        coding.isFirstFrame = isFirstFrame
        var timing: AnimationTiming?
        var frameColours: HeaderColours?
        var frameCount = isSequence ? nil : 1
        if let sequence {
            frameCount = sequence.colour.samples.count
            // Another size would be another picture, and one plan has one decoder.
            if sequence.isAnimation, sequence.colour.description.isAV1 == coding.isAV1,
                picture.transformation == ItemTransformation(of: picture.size),
                sequence.colour.description.size == picture.size
            {
                coding.sequence = sequence.frames
                coding.sequenceLength = sequence.colour.samples.count
                coding.sequenceReordering = sequence.reordering
                // Samples before the start of an edit list are not shown.
                frameCount = sequence.colour.frames.count
                frameColours = HeaderColours(
                    profileBytes: sequence.colour.description.profile?.count ?? 0,
                    tags: sequence.tags)
                timing = AnimationTiming(
                    frameCount, milliseconds: sequence.milliseconds,
                    loopCount: sequence.colour.plays ?? 0)
            }
        }
        let isGrey = picture.overlay == nil && picture.first.colour.isMonochrome
        var header = AttachmentHeader(
            coding, storedSize: picture.transformation.size,
            orientation: picture.transformation.orientation,
            colourModel: isGrey ? .grey : .rgb,
            hasAlpha: picture.overlay == nil && picture.first.alpha != nil,
            bitsPerSample: picture.bitsPerSample, frameCount: frameCount, timing: timing,
            profileBytes: profileBytes, hasMetadata: profileBytes > 0 || hasMetadata,
            uncroppedSize: picture.size == picture.transformation.size ? nil : picture.size,
            fileBytes: ByteCount(reader.length))
        header.colourTags = picture.first.colour.tiles.first?.colours?.tags(isGrey: isGrey)
        header.frameColours = frameColours
        return header
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
