import AttachmentContainer
import AttachmentModel
import AttachmentPlanning

/// The choice of a quality and a size for a byte ceiling.
struct CeilingTrade {
    let picture: PictureFacts
    let limits: RenditionLimits
    /// The first attempt, which is over the ceiling.
    let planned: EncodingLadder.Attempt
    /// Quality of the picture at its full size, without a ceiling.
    let quality: Int
    /// Length of the last file of the planned quality and size, or of another that is over the ceiling.
    let length: ByteCount
}

extension RenderingContext {
    /// The JPEG under the byte ceiling with the best score, as it is shown at the picture's size.
    ///
    /// Each size has the highest quality that is under the ceiling, and a score. Sizes become smaller
    /// as long as the score rises. Of 36 photographs, graphics and screenshots at six ceilings of 0.12
    /// to 0.75 of the usual length, the result is within a point of the best in 90 %, and half a point
    /// below it in the median. No fixed order of sizes and qualities is within a point in more than
    /// 57 %; lowering the quality to 40 before the size, in 4 %, with a median loss of 8 points. Half
    /// of the searches take more than 8 encodings and 4 scores, none more than 18 and 6.
    ///
    /// - Parameters:
    ///   - trade: What is to be chosen.
    ///   - length: Encodes an attempt, and returns the file's length.
    ///   - score: The score of the last encoded attempt.
    /// - Returns: The choice, which the output has; nil without one under the ceiling, and without the
    ///   memory or time for a score.
    /// - Throws: `AttachmentError` of an encoding or a score.
    func traded(
        _ trade: CeilingTrade,
        _ length: (EncodingLadder.Attempt) throws(AttachmentError) -> ByteCount,
        _ score: () throws(AttachmentError) -> Double
    ) throws(AttachmentError) -> FittedAttempt? {
        let picture = trade.picture
        guard coversScores(of: picture) else { return nil }
        var best: (fitted: FittedAttempt, score: Double)?
        var round = Duration.nanoseconds(Self.nanosecondsOfPixel * picture.size.pixelCount)
        var expected = LengthSearch.Trial(quality: trade.quality, length: trade.length)
        for size in trade.limits.sizes(of: picture) {
            var isBetter = false
            for isFull in picture.hasSharpChroma && !picture.isGrey ? [false, true] : [false] {
                guard cancellation.leaves(round * Self.roundsLeft) else {
                    return try encoded(best?.fitted, length)
                }
                let start = ContinuousClock.now
                let found = try longest(trade, expected, size, isFull, length)
                guard let (fitted, trial) = found else { continue }
                if !isFull { expected = trial }
                let points = try score()
                round = ContinuousClock.now - start
                guard points > best?.score ?? -.infinity else { continue }
                (best, isBetter) = ((fitted, points), true)
            }
            if best != nil, !isBetter { break }
            expected = LengthSearch.Trial(
                quality: expected.quality,
                length: ByteCount(expected.length.bytes * Self.percentOfStep / 100))
        }
        return try encoded(best?.fitted, length)
    }

    /// The longest file of a size under the ceiling, which the output has; nil if none is.
    private func longest(
        _ trade: CeilingTrade, _ expected: LengthSearch.Trial, _ size: PixelSize, _ isFull: Bool,
        _ length: (EncodingLadder.Attempt) throws(AttachmentError) -> ByteCount
    ) throws(AttachmentError) -> (fitted: FittedAttempt, trial: LengthSearch.Trial)? {
        let most =
            size == trade.picture.size
            ? trade.quality : max(trade.quality, Self.highestOfSmaller)
        var search = LengthSearch(
            under: trade.limits.ceiling, min(Self.lowest, most)...most, expected: expected)
        func attempt(_ quality: Int) -> EncodingLadder.Attempt {
            EncodingLadder.Attempt(
                encoding: isFull
                    ? .fullChromaJPEG(quality: quality) : .jpeg(quality: quality), size: size)
        }
        while let quality = search.next {
            search.add(try length(attempt(quality)), at: quality)
        }
        guard let trial = search.best else { return nil }
        let fitted = FittedAttempt(
            attempt: attempt(trial.quality), length: try length(attempt(trial.quality)),
            planned: trade.planned, purpose: trade.limits.purpose)
        return (fitted, trial)
    }

    private func encoded(
        _ fitted: FittedAttempt?,
        _ length: (EncodingLadder.Attempt) throws(AttachmentError) -> ByteCount
    ) throws(AttachmentError) -> FittedAttempt? {
        guard var fitted else { return nil }
        fitted.length = try length(fitted.attempt)
        return fitted
    }

    /// True if there is memory for scores of smaller files.
    private func coversScores(of picture: PictureFacts) -> Bool {
        let columns = Double(picture.size.width)
        let planned = settings.scoresRenditions ? 0 : ScoreDemand.bytes(columns: columns)
        return grant.covers(
            ByteCount(Int(planned + ScoreDemand.enlargement(columns: columns)) + 1))
    }

    /// Below it, a smaller size scores more at any ceiling measured.
    private static let lowest = 10
    /// A smaller picture of this quality may score more than a larger one of the usual quality; without
    /// it, the best of the same pictures and ceilings is 0.2 points lower in the mean, at most 3.
    private static let highestOfSmaller = 90
    /// Length at four fifths of the sides: 0.66 to 0.74 of nine in ten pictures at qualities 40 to 80.
    private static let percentOfStep = 72
}
