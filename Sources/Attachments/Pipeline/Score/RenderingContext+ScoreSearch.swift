import AttachmentContainer
package import AttachmentModel
import AttachmentPlanning

extension RenderingContext {
    /// Searches for the attempt that gives a score; without time for a round, the search has no trial.
    ///
    /// Halved chroma can keep a small or colourful picture from the score at any quality. Where it takes
    /// a quality above 95, 4:4:4 takes 0.33 to 1.05 times the bytes (0.44 in the median of 11 pictures
    /// and targets), and is chosen if its score is close enough.
    ///
    /// `score` encodes an attempt, and scores the result. The picture is returned with the chroma that
    /// was chosen.
    func search(
        for target: Double, of picture: PictureFacts,
        _ score: (EncodingLadder.Attempt) throws(AttachmentError) -> Double
    ) throws(AttachmentError) -> (search: ScoreSearch, picture: PictureFacts) {
        let halved = try searchOnce(for: target, of: picture, score)
        guard let best = halved.best, best.quality > Self.highestOfHalvedChroma, !picture.isGrey,
            !picture.hasSharpChroma
        else { return (halved, picture) }
        let sharp = picture.withSharpChroma
        let full = try searchOnce(for: target, of: sharp, score)
        return full.isAsClose(as: halved) ? (full, sharp) : (halved, picture)
    }

    private func searchOnce(
        for target: Double, of picture: PictureFacts,
        _ score: (EncodingLadder.Attempt) throws(AttachmentError) -> Double
    ) throws(AttachmentError) -> ScoreSearch {
        var search = ScoreSearch(target)
        var round = Duration.nanoseconds(Self.nanosecondsOfPixel * picture.size.pixelCount)
        while let quality = search.next, cancellation.leaves(round * Self.roundsLeft) {
            let start = ContinuousClock.now
            search.add(try score(picture.scoredAttempt(at: quality)), at: quality)
            round = ContinuousClock.now - start
        }
        return search
    }

    private static let highestOfHalvedChroma = 95

    /// Encoding, decoding and scoring: 50 ms for 1.3 million pixels on a slow processor.
    static let nanosecondsOfPixel = 40
    /// Time in rounds that must be left for one: the final encoding, banner and publishing follow.
    static let roundsLeft = 3
}

extension Cancellation {
    /// True if the deadline is at least so far away.
    func leaves(_ time: Duration) -> Bool {
        deadline.map { ContinuousClock.now.duration(to: $0) >= time } ?? true
    }
}

extension AttachmentError {
    /// Error of a process that cannot decode the JPEGs that it encodes.
    package static func noScore(_ file: String) -> AttachmentError {
        AttachmentError(
            .unsupported, file: file, reason: "this build cannot score renditions",
            remedy: "set a quality in place of the target score")
    }
}

extension ScoreSearch {
    /// The score of an attempt; nil if it was not scored.
    func note(on attempt: EncodingLadder.Attempt, of picture: PictureFacts) -> String? {
        guard attempt.size == picture.size, let quality = attempt.encoding.quality else {
            return nil
        }
        guard let trial = best else { return "quality \(quality), without time for a score" }
        guard attempt.encoding == picture.scoredAttempt(at: trial.quality).encoding else {
            return nil
        }
        return "score \(trial.score.fixed(1)) at quality \(quality)"
    }
}

extension PictureFacts {
    /// The attempt that is scored for a quality: 4:4:4 where chroma has sharp edges.
    func scoredAttempt(at quality: Int) -> EncodingLadder.Attempt {
        let attempt = EncodingLadder.Attempt(encoding: .jpeg(quality: quality), size: size)
        return hasSharpChroma ? attempt.withFullChroma ?? attempt : attempt
    }
}

extension Encoding {
    /// Quality of a JPEG; nil for PNG.
    var quality: Int? {
        switch self {
        case .jpeg(let quality), .fullChromaJPEG(let quality): quality
        case .png, .palettePNG: nil
        }
    }
}
