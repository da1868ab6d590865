import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning

extension RenderingContext {
    /// Encodes a picture, going down the ladder until the file is under the byte ceiling.
    ///
    /// At most one picture is alive at any time: each attempt releases its reading before the next
    /// one begins.
    ///
    /// A streamed opaque picture that is not a JPEG is held first, to choose its encoding by its content;
    /// without scratch files it is taken as a photograph.
    ///
    /// `rerender` renders a streamed picture again for the second attempt, and is nil for a held one.
    /// The second attempt's picture is held in a scratch file for all later attempts; without scratch
    /// files `rerender` is called for each of them.
    func fit(
        _ picture: consuming RenderedPicture, by order: RenditionOrder,
        rerender: (() throws(VipsError) -> RenderedPicture)?
    ) throws(AttachmentError) -> EncodedRendition {
        let source = plan.decodedHeader
        let isGrey = picture.isGrey
        let mayBeDrawn = source.format != .jpeg && (isGrey || source.hasFullChroma)
        let isScored = settings.scoresRenditions && !picture.hasAlpha
        var (hasSharpChroma, content) = (false, PictureContent.continuous)
        var original: VipsImage?
        if mayBeDrawn || isScored, !picture.hasAlpha {
            original = try decoding { () throws(VipsError) -> VipsImage? in
                try keep(&picture)
                return picture.order == .any ? try picture.read() : nil
            }
        }
        if mayBeDrawn, let original {
            (hasSharpChroma, content) = try decoding {
                () throws(VipsError) -> (Bool, PictureContent) in
                (isGrey ? false : try original.hasSharpChroma, original.content)
            }
        }
        let facts = PictureFacts(
            order, size: picture.size, hasAlpha: picture.hasAlpha, isGrey: picture.isGrey,
            content: content, hasSharpChroma: hasSharpChroma)
        return try fit(
            facts, canScore: original != nil || picture.order == .any || permittedScratch != nil,
            score: { output throws(AttachmentError) in
                // A picture that is read from top to bottom is held from its first score on.
                let image = try decoding { () throws(VipsError) -> VipsImage? in
                    if let original { return original }
                    if !picture.isReadable, let rerender { picture = try rerender() }
                    try keep(&picture)
                    return picture.isReadable && picture.order == .any ? try picture.read() : nil
                }
                guard let image else { throw .scoreNeedsScratch(file.path) }
                return try score(of: output, against: image)
            }
        ) { attempt, output throws(AttachmentError) in
            try decoding { () throws(VipsError) in
                if !picture.isReadable, let rerender {
                    picture = try rerender()
                    try keep(&picture)
                }
                try encode(
                    resize(
                        picture.read(), to: attempt.size,
                        box: Planner.box(from: facts.size, to: attempt.size),
                        isLinear: settings.isLinear),
                    as: attempt, to: output.descriptor, scratch: permittedScratch)
            }
        }
    }

    /// The score of a JPEG against the held picture that it was encoded from.
    private func score(
        of output: RenditionOutput, against image: VipsImage
    ) throws(AttachmentError) -> Double {
        let (size, bands) = (image.size, image.bands)
        // Each reading sets up an operation of libvips.
        var (strip, top) = ([UInt8](), 0)
        return try score(of: output, against: size, bands: bands) { y, row in
            let length = size.width * bands
            if (y - top + 1) * length > strip.count {
                guard let next = try? image.rows(y, count: min(16, size.height - y)) else {
                    return false
                }
                (strip, top) = (next, y)
            }
            let start = (y - top) * length
            strip.withUnsafeBufferPointer {
                _ = row.update(fromContentsOf: $0[start..<start + length])
            }
            return true
        }
    }

    /// Holds a picture that is read from top to bottom in a scratch file, whatever the rung, because
    /// reading it is cheaper than decoding it again; does nothing without scratch files.
    private func keep(_ picture: inout RenderedPicture) throws(VipsError) {
        guard picture.order != .any, picture.isReadable, let scratch = permittedScratch else {
            return
        }
        let image = try hold(picture.read(), in: scratch)
        picture = try RenderedPicture(held: { image })
    }
}

extension AttachmentError {
    /// Error for a streamed picture that cannot be held for its score.
    fileprivate static func scoreNeedsScratch(_ file: String) -> AttachmentError {
        AttachmentError(
            .unsupported, file: file,
            reason: "a score of the rendition takes a scratch file, and none is allowed",
            remedy: "allow scratch files, or set a quality in place of the target score")
    }
}

extension VipsImage {
    /// The kind of the content of an 8-bit picture.
    fileprivate var content: PictureContent {
        PictureContent(
            of: PackedPixels(size, bands: bands) { y, row in
                guard let samples = try? self.rows(y, count: 1) else { return }
                for (index, sample) in zip(row.indices, samples) { row[index] = sample }
            })
    }

    fileprivate func rows(_ top: Int, count: Int) throws(VipsError) -> [UInt8] {
        try applying(
            "extract_area",
            [
                "left": .int(0), "top": .int(top), "width": .int(size.width),
                "height": .int(count),
            ], input: "input"
        ).samples()
    }

    /// True if full chroma is worth an attempt; computes a quarter of the rows of an 8-bit RGB
    /// picture.
    fileprivate var hasSharpChroma: Bool {
        get throws(VipsError) {
            var detail = ChromaDetail()
            for y in stride(from: 0, to: size.height - 1, by: ChromaDetail.rowStep) {
                let samples = try rows(y, count: 2)
                samples.withUnsafeBufferPointer { detail.add($0, bands: bands) }
            }
            return detail.isSharp
        }
    }
}
