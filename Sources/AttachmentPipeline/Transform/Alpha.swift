extension VipsImage {
    /// The picture without its alpha channel if nothing in it is transparent.
    ///
    /// It computes the pixels, so the picture must be held in memory.
    ///
    /// - Returns: The colour bands, or the picture as it is.
    /// - Throws: `VipsError` with libvips' own words.
    func withoutOpaqueAlpha() throws(VipsError) -> VipsImage {
        guard hasAlpha else { return self }
        let alpha = try applying("extract_band", ["band": .int(bands - 1)])
        guard try alpha.measuring("min") == 255 else { return self }
        return try applying("extract_band", ["band": .int(0), "n": .int(bands - 1)])
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
