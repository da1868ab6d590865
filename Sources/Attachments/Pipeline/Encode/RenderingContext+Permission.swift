import AttachmentContainer
import AttachmentModel
import AttachmentPlanning

extension RenderingContext {
    /// The attempt, or one that takes less memory; nil if the plan has none for it.
    func permitted(
        _ attempt: EncodingLadder.Attempt, of picture: PictureFacts, _ quantises: Bool
    ) -> EncodingLadder.Attempt? {
        if attempt.hasOptimalTables {
            // The engine of rows always writes tables of the picture.
            return plan.engine != .rows && quantises && grant.covers(attempt.extraMemory)
                ? attempt : attempt.withoutExtraMemory
        }
        guard attempt.encoding.isPNG else { return attempt }
        let isOfRows = plan.engine == .rows
        // Other encoders write dense PNG at the first attempt.
        if attempt.encoding == .png, attempt.isDense, !isOfRows { return nil }
        var plain = attempt.withoutExtraMemory
        plain.isDense = plain.isDense && isOfRows
        // Plans of opaque pictures count an encoder of JPEG, unless PNG is asked for.
        guard picture.hasAlpha || settings.stillType == .png || grant.covers(attempt.encoderMemory)
        else { return nil }
        var attempt = attempt
        let hasPalettes = quantises && BuiltInDecoders.built.hasRowEngine
        guard hasPalettes, attempt.encoding == .palettePNG else { return plain }
        attempt.isDense = attempt.isDense || settings.effort == .best
        // A palette without loss takes no quantiser.
        let isExact = picture.content == .fewColours && attempt.size == picture.size
        // Pictures of libvips are held first, because they are read several times.
        let isHeld = isOfRows || permittedScratch != nil
        let held = isHeld ? 0 : 4 * attempt.size.pixelCount
        let extra = held + (isExact ? 0 : attempt.extraMemory.bytes)
        return grant.covers(ByteCount(extra)) ? attempt : plain
    }
}

extension EncodingLadder.Attempt {
    /// Memory of the encoder of PNG beside a plan for JPEG: deflate's state of 268 kB, a chunk, and for
    /// libvips libpng's rows of all filters.
    var encoderMemory: ByteCount { ByteCount(400_000 + 8 * 4 * size.width) }
}
