extension VipsImage {
    /// Whether nothing in the picture is transparent. It computes the pixels, so the picture must
    /// be held in memory.
    ///
    /// - Returns: Whether there is no alpha, or alpha is full everywhere.
    /// - Throws: `VipsError` with libvips' own words.
    func isOpaque() throws(VipsError) -> Bool {
        guard hasAlpha else { return true }
        let alpha = try applying("extract_band", ["band": .int(bands - 1)])
        return try alpha.measuring("min") == 255
    }

    /// The picture without its alpha channel.
    ///
    /// - Returns: The colour bands.
    /// - Throws: `VipsError` with libvips' own words.
    func withoutAlpha() throws(VipsError) -> VipsImage {
        guard hasAlpha else { return self }
        return try applying("extract_band", ["band": .int(0), "n": .int(bands - 1)])
    }
}
