/// What the bounded decoder of interlaced PNG holds at its peak, in bytes.
enum InterlacedPNGDemand {
    /// What decoding takes, whatever the height.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row.
    ///   - samples: Samples of a pixel as the file has them: one in a palette picture; a transparent
    ///     colour is none, and may be counted as one.
    ///   - bitsPerSample: 1 to 16.
    /// - Returns: The bytes; they never fall as a picture grows.
    static func bytes(width: Int, samples: Int, bitsPerSample: Int) -> Double {
        let bits = Double(max(0, samples)) * Double(max(0, bitsPerSample))
        return rows(rowBytes: Double(max(0, width)) * bits / 8) + inflaters + buffers
    }

    /// The rows of the passes (PNG specification, 8.1: of 1/8, 1/8, 1/4, 1/4, 1/2, 1/2 and all of the
    /// width), each as it is in the file and unfiltered; and the woven ones, of 1/4, 1/2 and all.
    private static func rows(rowBytes: Double) -> Double {
        rowBytes * (2 * 2.75 + 1.75)
    }

    /// Seven inflaters (`Inflate`): the window of 32 KiB and a step of 16 KiB, the tables of codes, the
    /// bits at hand, and the window over the file.
    private static let inflaters = 7.0 * (49_152 + 13_400 + 4_200 + 16_384)

    /// The window over the file for the other chunks, the bytes to be read, the room that the first
    /// run inflates into, and small objects with what their pages waste.
    private static let buffers = 16_384.0 + 16_448 + 65_536 + 130_000
}
