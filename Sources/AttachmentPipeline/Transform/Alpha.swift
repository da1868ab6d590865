extension VipsImage {
    /// The picture without its alpha channel if nothing in it is transparent.
    ///
    /// It computes the pixels, so the picture must be held in memory.
    ///
    /// - Returns: The colour bands, or the picture as it is.
    /// - Throws: `VipsError` with libvips' own words.
    func withoutOpaqueAlpha() throws(VipsError) -> VipsImage {
        guard let alpha = try alpha(), try alpha.measuring("min") == 255 else { return self }
        return try colours()
    }

    /// The alpha channel.
    ///
    /// - Returns: One band; nil when there is none.
    /// - Throws: `VipsError` with libvips' own words.
    func alpha() throws(VipsError) -> VipsImage? {
        hasAlpha ? try applying("extract_band", ["band": .int(bands - 1)]) : nil
    }

    /// All bands but alpha, which must be there.
    ///
    /// - Returns: The colour bands.
    /// - Throws: `VipsError` with libvips' own words.
    func colours() throws(VipsError) -> VipsImage {
        try applying("extract_band", ["band": .int(0), "n": .int(bands - 1)])
    }

    /// The picture with an alpha channel, full everywhere if it had none.
    ///
    /// - Returns: The colour bands and alpha, eight bits a sample.
    /// - Throws: `VipsError` with libvips' own words.
    func withAlpha() throws(VipsError) -> VipsImage {
        guard !hasAlpha else { return self }
        return try applying("bandjoin_const", ["c": .doubles([255])])
    }
}
