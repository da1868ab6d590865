import AttachmentContainer
import AttachmentPlanning

/// Predicted image data of a PNG with every colour, in bytes.
package struct PNGForecast {
    /// With runs of equal bytes alone.
    let runs: Int
    /// With a search for every repetition.
    let dense: Int

    /// True if the search saves more than an eighth of the bytes, and so is made at the first attempt.
    var favoursDense: Bool { 8 * dense < 7 * runs }

    /// Predicted length of an attempt.
    func length(of attempt: EncodingLadder.Attempt) -> ByteCount {
        ByteCount(attempt.isDense || favoursDense ? dense : runs)
    }

    /// True if an attempt would be longer even if the prediction were as wrong as it can be.
    ///
    /// Of the pictures in `bench/results/png-search.md` and corpora, runs are predicted up to 6 % too
    /// long and dense PNGs 15 %; 29 % where the search saves much, as of text.
    func exceeds(_ most: ByteCount, with attempt: EncodingLadder.Attempt) -> Bool {
        let margin =
            favoursDense ? (4, 3) : attempt.isDense ? (7, 6) : (10, 9)
        return margin.1 * length(of: attempt).bytes / margin.0 > most.bytes
    }
}
