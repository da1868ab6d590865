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
    /// A streamed picture that may have sharp edges of chroma is held first; without scratch files its
    /// chroma is halved.
    ///
    /// `part` is the crop, nil for the whole picture. `floor` is the shortest permitted longer
    /// side, in pixels. `rerender` renders a streamed picture again for the second attempt, and is
    /// nil for a held one. The second attempt's picture is held in a scratch file for all later
    /// attempts; without scratch files `rerender` is called for each of them.
    func fit(
        _ picture: consuming RenderedPicture, as role: RenditionRole, part: UnitRectangle?,
        rerender: (() throws(VipsError) -> RenderedPicture)?, quality: Int, floor: Int
    ) throws(AttachmentError) -> EncodedRendition {
        var hasSharpChroma = false
        if plan.decodedHeader.hasFullChroma, !picture.isGrey, !picture.hasAlpha {
            hasSharpChroma = try decoding { () throws(VipsError) in
                if picture.order != .any {
                    guard let scratch = permittedScratch else { return false }
                    let notes = picture.notes
                    let image = try hold(picture.read(), in: scratch)
                    picture = try RenderedPicture(held: { image })
                    picture.notes = notes
                }
                return try picture.read().hasSharpChroma
            }
        }
        let facts = PictureFacts(
            role, size: picture.size, hasAlpha: picture.hasAlpha, isGrey: picture.isGrey,
            notes: picture.notes, part: part, quality: quality, floor: floor,
            hasSharpChroma: hasSharpChroma)
        return try fit(facts) {
            attempt, output throws(AttachmentError) in
            try decoding { () throws(VipsError) in
                if !picture.isReadable, let rerender { picture = try held(rerender()) }
                try encode(
                    resize(
                        picture.read(), to: attempt.size,
                        box: Planner.box(from: facts.size, to: attempt.size)),
                    as: attempt.encoding, to: output.descriptor)
            }
        }
    }

    /// Holds a streamed picture in a scratch file, whatever the rung, because reading it is cheaper
    /// than decoding it again.
    private func held(_ picture: consuming RenderedPicture) throws(VipsError) -> RenderedPicture {
        guard let scratch = permittedScratch else { return picture }
        let image = try hold(picture.read(), in: scratch)
        return try RenderedPicture(held: { image })
    }
}

extension VipsImage {
    /// True if full chroma is worth an attempt; computes a quarter of the rows of an 8-bit RGB
    /// picture.
    fileprivate var hasSharpChroma: Bool {
        get throws(VipsError) {
            var detail = ChromaDetail()
            for y in stride(from: 0, to: size.height - 1, by: ChromaDetail.rowStep) {
                let rows = try applying(
                    "extract_area",
                    [
                        "left": .int(0), "top": .int(y), "width": .int(size.width),
                        "height": .int(2),
                    ], input: "input")
                let samples = try rows.samples()
                samples.withUnsafeBufferPointer { detail.add($0, bands: bands) }
            }
            return detail.isSharp
        }
    }
}
