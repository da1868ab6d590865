#if SYSTEM_CODECS
    import AttachmentContainer
    internal import CPNG

    /// Rows of a picture, compressed to find the search for repetitions that is worth its time, and to
    /// predict the length of the PNG.
    ///
    /// Of photographs, a search saves up to 11 % of the bytes that runs of equal bytes take, for seven
    /// times their time. Of text and drawings it saves 30 % and more, for at most twice their time
    /// (`bench/results/png-search.md`).
    final class PNGSample {
        private let view: PictureView
        /// Bytes of the sample that compares the searches.
        private var compared: (dense: Int, runs: Int)?
        private var predicted: PNGForecast?
        private var refined: PNGForecast?

        private struct Bands {
            let count: Int
            /// Rows of each band.
            let rows: Int

            /// Many bands, because a length differs from top to bottom more than a ratio of lengths.
            ///
            /// Of 211 pictures, an estimate from 128 rows was at most 5 % too much, or 10 % where a sample
            /// takes less than a tenth of a byte.
            static let ofLength = Bands(count: 128, rows: 1)

            /// More bands, compressed at the level of the file: of 180 pictures, dense PNGs were predicted
            /// at most 5 % too long, except those below a tenth of a byte a sample.
            static func ofRefinement(in view: PictureView) -> Bands {
                Bands(count: 8, rows: ofSearches(in: view).rows)
            }

            /// Long bands, because deflate finds repetitions within 32 KiB (RFC 1951, section 2).
            static func ofSearches(in view: PictureView) -> Bands {
                let rowBytes = view.size.width * view.picture.colours.bands
                let most = view.size.height / (mostShare * searchBands)
                let rows = min(most, (searchedBytes + rowBytes - 1) / rowBytes)
                return Bands(count: searchBands, rows: max(leastRows, rows))
            }

            private static let searchedBytes = 32 << 10
            private static let searchBands = 3
            private static let leastRows = 8
            /// Part of a picture's rows beyond which a sample would take too long.
            private static let mostShare = 8

            /// False for a small picture, which is encoded as fast as a sample.
            func isWorth(_ view: PictureView) -> Bool { view.size.height > 2 * count * rows }
        }

        init(of view: PictureView) { self.view = view }

        /// True if a search for every repetition saves more than an eighth of the bytes that runs take.
        ///
        /// - Throws: `EncodingFailure` if memory is short.
        var favoursDense: Bool {
            get throws(EncodingFailure) {
                let bands = Bands.ofSearches(in: view)
                guard bands.isWorth(view) else { return true }
                let (dense, runs) = try compare(bands)
                return PNGForecast(runs: runs, dense: dense, samples: 0).favoursDense
            }
        }

        /// Predicted lengths; nil for a small picture.
        ///
        /// A refined forecast takes a fifteenth of the time of the dense PNG.
        ///
        /// - Throws: `EncodingFailure` if memory is short.
        func forecast(isRefined: Bool) throws(EncodingFailure) -> PNGForecast? {
            if let known = isRefined ? refined : predicted { return known }
            let (bands, long) = (Bands.ofLength, Bands.ofSearches(in: view))
            guard bands.isWorth(view), long.isWorth(view) else { return nil }
            let refining = Bands.ofRefinement(in: view)
            guard !isRefined || refining.isWorth(view) else { return nil }
            let whole: Int
            if let predicted {
                whole = predicted.runs
            } else {
                whole =
                    try bytes(THIMBLE_PNG_ESTIMATED_RUNS, bands) * view.size.height / bands.count
            }
            let (dense, runs) =
                isRefined
                ? (try bytes(THIMBLE_PNG_DENSE, refining), try bytes(THIMBLE_PNG_RUNS, refining))
                : try compare(long)
            // Rounded up, so that a forecast favours no search that the sample does not.
            let forecast = PNGForecast(
                runs: whole, dense: (whole * dense + runs - 1) / runs,
                samples: view.size.pixelCount * view.picture.colours.bands, isRefined: isRefined)
            if isRefined { refined = forecast } else { predicted = forecast }
            return forecast
        }

        private func compare(
            _ bands: Bands
        ) throws(EncodingFailure) -> (dense: Int, runs: Int) {
            if let compared { return compared }
            let bytes = (
                dense: try bytes(THIMBLE_PNG_BRIEF, bands), runs: try bytes(THIMBLE_PNG_RUNS, bands)
            )
            compared = bytes
            return bytes
        }

        /// Bytes of bands in the middles of equal parts of the picture.
        private func bytes(
            _ search: thimble_png_search, _ bands: Bands
        ) throws(EncodingFailure) -> Int {
            let samples = view.picture.colours.bands
            guard
                let sample = thimble_png_sample_new(CInt(view.size.width), CInt(samples), search)
            else { throw EncodingFailure(reason: "there is no memory for zlib") }
            var row = [UInt8](repeating: 0, count: view.size.width * samples)
            for band in 0..<bands.count {
                let middle = (2 * band + 1) * view.size.height / (2 * bands.count)
                let first = middle - bands.rows / 2
                row.withUnsafeMutableBufferPointer { view.read(plane: 0, first - 1, into: $0) }
                thimble_png_sample_pass(sample, row)
                for y in first..<first + bands.rows {
                    row.withUnsafeMutableBufferPointer { view.read(plane: 0, y, into: $0) }
                    thimble_png_sample_row(sample, row)
                }
            }
            return thimble_png_sample_end(sample)
        }
    }
#endif
