import AttachmentContainer
import AttachmentPlanning

/// Predicted image data of a PNG with every colour, in bytes.
package struct PNGForecast {
    /// With runs of equal bytes alone.
    let runs: Int
    /// With a search for every repetition.
    let dense: Int
    /// Samples of the picture.
    let samples: Int
    /// True if the dense PNG was sampled again, in more rows.
    var isRefined = false

    /// True if the search saves more than an eighth of the bytes, and so is made at the first attempt.
    ///
    /// The first sample decides, so a refined forecast never says so.
    var favoursDense: Bool { !isRefined && 8 * dense < 7 * runs }

    /// Predicted length of an attempt.
    func length(of attempt: EncodingLadder.Attempt) -> ByteCount {
        ByteCount(attempt.isDense || favoursDense ? dense : runs)
    }

    /// True if an attempt would be longer even if its prediction were as wrong as any measured.
    ///
    /// Of 211 pictures, runs were predicted up to 5 % too long, and dense PNGs 20 %, but at most 8.2 % where
    /// they are noisy, and 4 % if refined; below a tenth of a byte a sample, both 10 %. Where the search saves
    /// much, text was predicted up to 99 % too long, and tiles 145 %: a sample misses repetitions far apart.
    /// Such a PNG takes little time (`bench/results/png-search.md`).
    func exceeds(_ most: ByteCount, with attempt: EncodingLadder.Attempt) -> Bool {
        let length = length(of: attempt).bytes
        if favoursDense { return length / 4 > most.bytes }
        guard attempt.isDense else { return 10 * length / 11 > most.bytes }
        if isRefined { return (isTiny ? 10 * length / 11 : 20 * length / 21) > most.bytes }
        return (isNoisy ? 11 * length / 12 : 5 * length / 6) > most.bytes
    }

    /// True if a sample takes more than 3/10 of a byte, so that few repetitions are left to be found.
    private var isNoisy: Bool { 10 * dense > 3 * samples }

    /// True if a sample takes less than a tenth of a byte.
    private var isTiny: Bool { 10 * dense < samples }

    /// True if a refined forecast may save the attempt, which is predicted too long within the margin.
    func isUnclear(_ most: ByteCount, with attempt: EncodingLadder.Attempt) -> Bool {
        attempt.isDense && !favoursDense && length(of: attempt) > most
            && !exceeds(most, with: attempt)
    }
}
