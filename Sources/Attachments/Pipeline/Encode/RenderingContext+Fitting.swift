import AttachmentContainer
package import AttachmentModel
package import AttachmentPlanning
import CSystemCalls
import Foundation

extension RenderingContext {
    /// Calls `encode` for the attempts of the ladder until the file is short enough.
    ///
    /// It must be under the byte ceiling, and should be no longer than the source allows
    /// (``RenditionAllowance``). If no attempt reaches that, the shortest one is taken. A JPEG over the
    /// ceiling gets the size and quality of the best score (``traded(_:_:_:)``). Of a flat
    /// picture, PNG and JPEG are both made, and the shorter one is the first attempt. A picture with
    /// sharp edges of chroma becomes JPEG of 4:4:4 where that takes less than 20 % more bytes.
    ///
    /// With a target score, JPEG begins at the quality that ``ScoreSearch`` finds by `score`, the score
    /// of the JPEG in an output. A picture with sharp edges of chroma is 4:4:4 then, and so is one
    /// that halved chroma keeps from the score.
    ///
    /// `canScore` is false for engines whose pictures cannot be scored; they go down the ladder.
    /// `forecast` predicts the lengths of PNGs with every colour, so that those far too long are not
    /// made; nil if it cannot.
    ///
    /// Attempts that the memory does not allow are made with every colour and standard Huffman
    /// tables, as are all attempts of an encoder without palettes.
    package func fit(
        _ picture: PictureFacts, quantises: Bool = true, canScore: Bool = true,
        score: (RenditionOutput) throws(AttachmentError) -> Double,
        forecast: (_ isRefined: Bool) throws(AttachmentError) -> PNGForecast? = { _ in nil },
        encode: (EncodingLadder.Attempt, RenditionOutput) throws(AttachmentError) -> Void
    ) throws(AttachmentError) -> EncodedRendition {
        guard settings.stillType != .jpeg || !picture.hasAlpha else {
            throw .transparentJPEG(file.path)
        }
        var picture = picture
        let limits = RenditionLimits(of: picture, from: plan, settings)
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
            let length = try fileLength(output, of: path)
            encoded = (attempt, length)
            return length
        }
        var attempts = limits.attempts(for: picture)
        var search: ScoreSearch?
        if let target = settings.targetScore, !attempts[0].encoding.isPNG {
            let finished = try self.search(for: target, of: picture) {
                attempt throws(AttachmentError) in
                _ = try length(of: attempt)
                return try score(output)
            }
            (search, picture) = finished
            if let best = finished.search.best {
                attempts = limits.attempts(for: picture, scoredAt: best.quality)
            }
        }
        attempts[0] = try shorter(attempts[0], of: picture, length)
        let fitted = try fitted(attempts, of: picture, in: limits, quantises, length, forecast) {
            trade throws(AttachmentError) in
            guard canScore else { return nil }
            return try traded(trade, length) { () throws(AttachmentError) in try score(output) }
        }
        return EncodedRendition(
            role: picture.order.role, output: output,
            header: fitted.attempt.header(of: picture, fileBytes: fitted.length),
            notes: picture.order.notes
                + [fitted.note, search?.note(on: fitted.attempt, of: picture)].compactMap(\.self),
            part: picture.order.part)
    }

    /// The first attempt, or lossless PNG of a flat picture that takes fewer bytes.
    private func shorter(
        _ first: EncodingLadder.Attempt, of picture: PictureFacts,
        _ length: (EncodingLadder.Attempt) throws(AttachmentError) -> ByteCount
    ) throws(AttachmentError) -> EncodingLadder.Attempt {
        // Bytes decide, so that every repetition is searched.
        let lossless = EncodingLadder.Attempt(
            encoding: .png, size: first.size, isDense: plan.engine == .rows)
        guard picture.content == .flat, !picture.hasAlpha, settings.stillType == nil,
            grant.covers(lossless.encoderMemory), try length(first) >= length(lossless)
        else { return first }
        return lossless
    }

    /// The first attempt that is short enough, or else the shortest; the output has it then.
    ///
    /// `trade` may choose another before a JPEG loses quality or size for the byte ceiling.
    ///
    /// - Throws: `AttachmentError` with the code `doesNotFit` if all are above the ceiling.
    private func fitted(
        _ attempts: [EncodingLadder.Attempt], of picture: PictureFacts, in limits: RenditionLimits,
        _ quantises: Bool, _ length: (EncodingLadder.Attempt) throws(AttachmentError) -> ByteCount,
        _ forecast: (_ isRefined: Bool) throws(AttachmentError) -> PNGForecast?,
        trade: (CeilingTrade) throws(AttachmentError) -> FittedAttempt?
    ) throws(AttachmentError) -> FittedAttempt {
        let quality = attempts.lazy.compactMap(\.encoding.quality).first
        var isTraded = !limits.isCeilingAlone
        var last = ByteCount(0)
        var planned: EncodingLadder.Attempt?
        var shortest: FittedAttempt?
        var skipped: [(attempt: EncodingLadder.Attempt, predicted: ByteCount)] = []
        /// Encodes an attempt; returns it if it is short enough.
        func taken(
            _ attempt: EncodingLadder.Attempt, _ first: EncodingLadder.Attempt
        ) throws(AttachmentError) -> FittedAttempt? {
            let taken = FittedAttempt(
                attempt: attempt, length: try length(attempt), planned: first,
                purpose: limits.purpose)
            last = taken.length
            guard taken.length > limits.allowance else { return taken }
            if limits.keeps(attempt, of: picture),
                taken.length < shortest?.length ?? ByteCount(.max)
            {
                shortest = taken
            }
            return nil
        }
        let isPNG = attempts[0] == EncodingLadder.Attempt(encoding: .png, size: picture.size)
        for attempt in attempts {
            guard let attempt = permitted(attempt, of: picture, quantises) else { continue }
            let first = planned ?? attempt
            planned = first
            if isPNG, attempt.encoding == .png, attempt.size == picture.size,
                limits.mayRefusePNG(of: picture.size), var predicted = try forecast(false)
            {
                // The first attempt is dense already.
                if attempt.isDense, predicted.favoursDense { continue }
                if predicted.isUnclear(limits.allowance, with: attempt) {
                    predicted = try forecast(true) ?? predicted
                }
                if predicted.exceeds(limits.allowance, with: attempt) {
                    skipped.append((attempt, predicted.length(of: attempt)))
                    continue
                }
            }
            if let quality, !isTraded, attempt.isCoarser(than: first) {
                isTraded = true
                let choice = CeilingTrade(
                    picture: picture, limits: limits, planned: first, quality: quality,
                    length: last)
                if let taken = try trade(choice) { return taken }
            }
            if let taken = try taken(attempt, first) {
                return try withFullChroma(taken, of: picture, in: limits, length)
            }
            if let denser = attempt.denserPalette(than: last, for: limits.allowance),
                let taken = try taken(denser, first)
            {
                return taken
            }
        }
        // A palette may take more bytes than every colour of a smooth picture.
        for (attempt, predicted) in skipped where predicted < shortest?.length ?? ByteCount(.max) {
            if let taken = try taken(attempt, planned ?? attempt) { return taken }
        }
        guard var shortest, shortest.length <= limits.ceiling else {
            throw .doesNotFit(file.path, picture.order.role, shortest?.length, limits.ceiling)
        }
        shortest.length = try length(shortest.attempt)
        return shortest
    }

    /// The attempt, or the same as 4:4:4 if sharp edges of chroma are worth the bytes.
    private func withFullChroma(
        _ halved: FittedAttempt, of picture: PictureFacts, in limits: RenditionLimits,
        _ length: (EncodingLadder.Attempt) throws(AttachmentError) -> ByteCount
    ) throws(AttachmentError) -> FittedAttempt {
        guard picture.hasSharpChroma, let full = halved.attempt.withFullChroma else {
            return halved
        }
        let most = EncodingLadder.Attempt.mostBytes(withFullChroma: halved.length)
        var taken = halved
        taken.length = try length(full)
        if taken.length > min(most, limits.allowance) {
            taken.length = try length(halved.attempt)
        } else {
            taken.attempt = full
        }
        return taken
    }

    private func fileLength(
        _ output: RenditionOutput, of path: String
    ) throws(AttachmentError) -> ByteCount {
        guard let length = output.length else {
            throw AttachmentError(
                .storage, file: path,
                reason: "the rendition's length is unknown: \(String(cString: strerror(errno)))")
        }
        return ByteCount(length)
    }
}

extension EncodingLadder.Attempt {
    /// True for a JPEG in place of a PNG, or of lower quality or smaller size than another.
    fileprivate func isCoarser(than other: Self) -> Bool {
        guard let quality = encoding.quality else { return false }
        return size != other.size || quality < other.encoding.quality ?? .max
    }
}

extension AttachmentError {
    fileprivate static func transparentJPEG(_ file: String) -> AttachmentError {
        AttachmentError(
            .unsupported, file: file,
            reason: "the picture has transparency, and JPEG has none",
            remedy: "make a PNG of it")
    }

    fileprivate static func doesNotFit(
        _ file: String, _ role: RenditionRole, _ shortest: ByteCount?, _ ceiling: ByteCount
    ) -> AttachmentError {
        AttachmentError(
            .doesNotFit, file: file,
            reason: "the smallest rendition\(role.words) takes "
                + "\(shortest ?? ByteCount(0)), more than the ceiling of \(ceiling)")
    }
}

extension RenditionRole {
    /// The role of a preset in a sentence; empty for the content extension's roles.
    fileprivate var words: String { self == .expanded || self == .banner ? "" : " \(rawValue)" }
}
