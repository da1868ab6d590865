internal import AttachmentContainer
internal import AttachmentModel

/// Peak heap of the bounded decoder for interlaced PNG, in bytes.
enum InterlacedPNGDemand {
    /// Upper bound on the peak heap, independent of the height; never falls as a picture grows.
    static func bytes(of header: AttachmentHeader) -> Double {
        let bits = Double(max(0, header.storedSamples)) * Double(max(0, header.bitsPerSample))
        let rowBytes = Double(max(0, header.storedSize.width)) * bits / 8
        return rowBytes * rows + inflaters + buffers
    }

    /// Raw and unfiltered rows of the passes, which have 1/8, 1/8, 1/4, 1/4, 1/2, 1/2 and all of the
    /// width (PNG specification, 8.1), and merged rows of 1/4, 1/2 and all.
    private static let rows = 2 * 2.75 + 1.75

    private static let inflaters = 7 * Double(ImageDataInflater.heapBytes)

    /// File window for other chunks, read buffer, and small objects with page waste.
    private static let buffers = 16_384.0 + 16_448 + 130_000
}
