import AttachmentContainer
package import AttachmentModel
package import AttachmentPlanning
import CSystemCalls
import Foundation

extension RenderingContext {
    /// Calls `encode` for the attempts of the ladder until the file is short enough.
    ///
    /// It must be under the byte ceiling, and should be no longer than the source allows
    /// (``RenditionAllowance``). If no attempt reaches that, the shortest one is taken. Of a flat
    /// picture, PNG and JPEG are both made, and the shorter one is the first attempt. A picture with
    /// sharp edges of chroma becomes JPEG of 4:4:4 where that takes less than 20 % more bytes.
    ///
    /// With a target score, JPEG begins at the quality that ``ScoreSearch`` finds by `score`, the score
    /// of the JPEG in an output; a picture with sharp edges of chroma is 4:4:4 then.
    ///
    /// Attempts that the memory does not allow are made with every colour and standard Huffman
    /// tables, as are all attempts of an encoder without palettes.
    package func fit(
        _ picture: PictureFacts, quantises: Bool = true,
        score: (RenditionOutput) throws(AttachmentError) -> Double,
        encode: (EncodingLadder.Attempt, RenditionOutput) throws(AttachmentError) -> Void
    ) throws(AttachmentError) -> EncodedRendition {
        let type = settings.stillType
        guard type != .jpeg || !picture.hasAlpha else {
            throw AttachmentError(
                .unsupported, file: file.path,
                reason: "the picture has transparency, and JPEG has none",
                remedy: "make a PNG of it")
        }
        let ceiling = settings.maximumBytes(of: picture.order.role)
        // A type that was asked for may take more than the source's.
        let allowance =
            type == nil
            ? min(ceiling, RenditionAllowance.bytes(of: picture, from: plan)) : ceiling
        var floor = picture.order.floor
        if picture.hasAlpha, allowance < ceiling {
            // PNG has no qualities, so even small pictures become smaller.
            floor = min(floor, max(picture.size.width, picture.size.height) / 2)
        }
        let (output, path) = (try nextOutput(), file.path)
        var encoded: (attempt: EncodingLadder.Attempt, length: ByteCount)?
        /// Encodes an attempt, unless the output has it, and returns the file's length.
        func length(of attempt: EncodingLadder.Attempt) throws(AttachmentError) -> ByteCount {
            if let encoded {
                if encoded.attempt == attempt { return encoded.length }
                try storing(path) { () throws(ContainerError) in try output.empty() }
                // Free heap pages of the last attempt count toward the footprint of this one.
                thimble_trim_heap()
            }
            encoded = nil
            try encode(attempt, output)
            let length = try fileLength(output.descriptor, of: path)
            encoded = (attempt, length)
            return length
        }
        /// The ladder from a quality on.
        func ladder(from quality: Int) -> [EncodingLadder.Attempt] {
            var attempts = EncodingLadder(
                size: picture.size, isOpaque: type.map { $0 == .jpeg } ?? !picture.hasAlpha,
                quality: quality, floor: floor,
                content: type == .jpeg ? .continuous : picture.content, isFine: allowance < ceiling
            ).attempts
            if type == .jpeg { attempts.removeAll(where: \.encoding.isPNG) }
            if allowance <= RenditionAllowance.mostBytesOfHeaders {
                attempts.removeAll { $0.size != picture.size }
            }
            return attempts
        }
        var attempts = ladder(from: picture.order.quality)
        var search: ScoreSearch?
        if let target = settings.targetScore, !attempts[0].encoding.isPNG {
            /// The attempt that is scored.
            func scored(_ quality: Int) -> EncodingLadder.Attempt {
                let attempt = EncodingLadder.Attempt(
                    encoding: .jpeg(quality: quality), size: picture.size)
                return picture.hasSharpChroma ? attempt.withFullChroma ?? attempt : attempt
            }
            let finished = try self.search(for: target, of: picture.size) {
                quality throws(AttachmentError) in
                _ = try length(of: scored(quality))
                return try score(output)
            }
            search = finished
            if let best = finished.best {
                attempts = ladder(from: best.quality)
                if attempts[0] != scored(best.quality) {
                    attempts.insert(scored(best.quality), at: 0)
                }
            }
        }
        var first = attempts[0]
        if picture.content == .flat, !picture.hasAlpha, type == nil {
            let lossless = EncodingLadder.Attempt(encoding: .png, size: first.size)
            if grant.covers(lossless.encoderMemory),
                try length(of: first) >= length(of: lossless)
            {
                first = lossless
            }
        }
        /// Encodes the attempt as 4:4:4 if sharp edges of chroma are worth the bytes.
        func withFullChroma(
            _ attempt: EncodingLadder.Attempt, _ halved: ByteCount
        ) throws(AttachmentError) -> (attempt: EncodingLadder.Attempt, length: ByteCount) {
            guard picture.hasSharpChroma, let full = attempt.withFullChroma else {
                return (attempt, halved)
            }
            let most = EncodingLadder.Attempt.mostBytes(withFullChroma: halved)
            let fullLength = try length(of: full)
            guard fullLength > min(most, allowance) else { return (full, fullLength) }
            return (attempt, try length(of: attempt))
        }
        var best: EncodingLadder.Attempt?
        var shortest: (attempt: EncodingLadder.Attempt, length: ByteCount)?
        func rendition(
            _ attempt: EncodingLadder.Attempt, _ length: ByteCount, _ purpose: String
        ) -> EncodedRendition {
            let isAsPlanned = attempt == best?.withFullChroma
            let note = isAsPlanned ? nil : attempt.note(against: best ?? attempt, purpose)
            return EncodedRendition(
                role: picture.order.role, output: output,
                header: attempt.header(of: picture, fileBytes: length),
                notes: picture.order.notes
                    + [note, search?.note(on: attempt, of: picture.size)]
                    .compactMap(\.self),
                part: picture.order.part)
        }
        for attempt in [first] + attempts.dropFirst() {
            guard let attempt = permitted(attempt, of: picture, quantises) else {
                continue
            }
            if best == nil { best = attempt }
            let length = try length(of: attempt)
            guard length > allowance else {
                let isForCeiling = allowance == ceiling
                let chosen = try withFullChroma(attempt, length)
                return rendition(
                    chosen.attempt, chosen.length,
                    isForCeiling ? "for the byte ceiling" : RenditionAllowance.purpose)
            }
            // Below the floor, a size pays only if it is short enough.
            let isKept =
                attempt.size == picture.size
                || max(attempt.size.width, attempt.size.height) >= picture.order.floor
            if isKept, length < shortest?.length ?? ByteCount(.max) { shortest = (attempt, length) }
        }
        guard let shortest, shortest.length <= ceiling else {
            throw AttachmentError(
                .doesNotFit, file: file.path,
                reason: "the smallest rendition\(picture.order.role.words) takes "
                    + "\(shortest?.length ?? ByteCount(0)), more than the ceiling of \(ceiling)")
        }
        return rendition(
            shortest.attempt, try length(of: shortest.attempt), RenditionAllowance.purpose)
    }

    /// The attempt, or one that takes less memory; nil if the plan has none for it.
    private func permitted(
        _ attempt: EncodingLadder.Attempt, of picture: PictureFacts, _ quantises: Bool
    ) -> EncodingLadder.Attempt? {
        if attempt.hasOptimalTables {
            // The engine of rows always writes tables of the picture.
            return plan.engine != .rows && quantises && grant.covers(attempt.extraMemory)
                ? attempt : attempt.withoutExtraMemory
        }
        guard attempt.encoding.isPNG else { return attempt }
        // Plans of opaque pictures count an encoder of JPEG, unless PNG is asked for.
        guard picture.hasAlpha || settings.stillType == .png || grant.covers(attempt.encoderMemory)
        else { return nil }
        let hasPalettes = quantises && BuiltInDecoders.built.hasRowEngine
        guard hasPalettes, attempt.encoding == .palettePNG else {
            return attempt.withoutExtraMemory
        }
        // A palette without loss takes no quantiser.
        let isExact = picture.content == .fewColours && attempt.size == picture.size
        // Pictures of libvips are held first, because they are read several times.
        let isHeld = plan.engine == .rows || permittedScratch != nil
        let held = isHeld ? 0 : 4 * attempt.size.pixelCount
        let extra = held + (isExact ? 0 : attempt.extraMemory.bytes)
        return grant.covers(ByteCount(extra)) ? attempt : attempt.withoutExtraMemory
    }

    private func fileLength(
        _ descriptor: CInt, of path: String
    ) throws(AttachmentError) -> ByteCount {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw AttachmentError(
                .storage, file: path,
                reason: "the rendition's length is unknown: \(String(cString: strerror(errno)))")
        }
        return ByteCount(Int(status.st_size))
    }
}

extension EncodingLadder.Attempt {
    /// Memory of libpng's encoder beside a plan for JPEG: deflate's state of 268 kB, and the rows of
    /// all filters.
    fileprivate var encoderMemory: ByteCount { ByteCount(400_000 + 8 * 4 * size.width) }
}

extension RenditionRole {
    /// The role of a preset in a sentence; empty for the content extension's roles.
    fileprivate var words: String { self == .expanded || self == .banner ? "" : " \(rawValue)" }
}
