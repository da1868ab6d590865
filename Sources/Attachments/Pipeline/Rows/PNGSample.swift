#if SYSTEM_CODECS
    import AttachmentContainer
    internal import CPNG

    /// Rows of a picture, compressed to find the search for repetitions that is worth its time.
    ///
    /// Of photographs, a search saves up to 11 % of the bytes that runs of equal bytes take, for seven
    /// times their time. Of text and drawings it saves 30 % and more, for at most twice their time
    /// (`bench/results/png-search.md`).
    struct PNGSample {
        private let view: PictureView
        /// Rows of each band.
        private let rows: Int

        /// Deflate finds repetitions within 32 KiB (RFC 1951, section 2).
        private static let bandBytes = 32 << 10
        private static let leastRows = 8
        private static let bands = 3
        /// Part of a picture's rows beyond which a sample would take too long.
        private static let mostShare = 8

        init(of view: PictureView) {
            self.view = view
            let rowBytes = view.size.width * view.picture.colours.bands
            let most = view.size.height / (Self.mostShare * Self.bands)
            rows = max(Self.leastRows, min(most, (Self.bandBytes + rowBytes - 1) / rowBytes))
        }

        /// The search for every repetition if it saves more than an eighth of the bytes; otherwise
        /// for runs.
        ///
        /// - Throws: `EncodingFailure` if memory is short.
        var search: thimble_png_search {
            get throws(EncodingFailure) {
                // Of a small picture, a search takes as long as a sample.
                guard view.size.height > 2 * Self.bands * rows else { return THIMBLE_PNG_DENSE }
                let (dense, runs) = (
                    try bytes(THIMBLE_PNG_DENSE), try bytes(THIMBLE_PNG_RUNS)
                )
                return 8 * dense < 7 * runs ? THIMBLE_PNG_DENSE : THIMBLE_PNG_RUNS
            }
        }

        /// Bytes of three bands, in the middle of each third of the picture.
        private func bytes(_ search: thimble_png_search) throws(EncodingFailure) -> Int {
            let bands = view.picture.colours.bands
            guard
                let sample = thimble_png_sample_new(CInt(view.size.width), CInt(bands), search)
            else { throw EncodingFailure(reason: "there is no memory for zlib") }
            var row = [UInt8](repeating: 0, count: view.size.width * bands)
            for band in 0..<Self.bands {
                let middle = (2 * band + 1) * view.size.height / (2 * Self.bands)
                for y in middle - rows / 2..<middle - rows / 2 + rows {
                    row.withUnsafeMutableBufferPointer { view.read(plane: 0, y, into: $0) }
                    thimble_png_sample_row(sample, row)
                }
            }
            return thimble_png_sample_end(sample)
        }
    }
#endif
