extension VipsImage {
    /// Computes the pixels, so the picture must be held.
    func withoutOpaqueAlpha() throws(VipsError) -> VipsImage {
        // Vector code of libvips 8.14 may round an opaque sample down by one when it reduces.
        guard let alpha = try alpha(), try alpha.measuring("min") >= 254 else { return self }
        return try colours()
    }

    func alpha() throws(VipsError) -> VipsImage? {
        hasAlpha ? try applying("extract_band", ["band": .int(bands - 1)]) : nil
    }

    func colours() throws(VipsError) -> VipsImage {
        try applying("extract_band", ["band": .int(0), "n": .int(bands - 1)])
    }

    /// Adds an opaque alpha channel if missing; for 8-bit pictures.
    func withAlpha() throws(VipsError) -> VipsImage {
        guard !hasAlpha else { return self }
        return try applying("bandjoin_const", ["c": .doubles([255])])
    }
}
