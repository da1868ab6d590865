/// Peak heap of the bounded decoder for interlaced PNG, in bytes.
enum InterlacedPNGDemand {
    /// Upper bound on the peak heap, independent of the height; never falls as a picture grows.
    ///
    /// `samples` are those stored per pixel: one for a palette.
    static func bytes(width: Int, samples: Int, bitsPerSample: Int) -> Double {
        let bits = Double(max(0, samples)) * Double(max(0, bitsPerSample))
        return rows(rowBytes: Double(max(0, width)) * bits / 8) + inflaters + buffers
    }

    /// Raw and unfiltered rows of the passes, and the merged rows.
    ///
    /// The passes have 1/8, 1/8, 1/4, 1/4, 1/2, 1/2 and all of the width (PNG specification, 8.1),
    /// the merged rows 1/4, 1/2 and all.
    private static func rows(rowBytes: Double) -> Double {
        rowBytes * (2 * 2.75 + 1.75)
    }

    /// One inflater for each pass.
    private static let inflaters = 7 * Double(ImageDataInflater.heapBytes)

    /// File window for other chunks, read buffer, inflate space of the first pass, and small
    /// objects with page waste.
    private static let buffers = 16_384.0 + 16_448 + 65_536 + 130_000
}
