package import AttachmentModel

/// Rows of a picture from a bounded decoder, read once from top to bottom.
///
/// Each row takes bounded time: a caller cancels by reading no further. Not `Sendable`: one thread
/// reads at a time.
package protocol DecodedRows: AnyObject {
    var layout: RowLayout { get }
    /// ICC profile of the samples, or nil.
    var profile: [UInt8]? { get }
    /// Colours without a profile, after any tone mapping; nil for sRGB.
    var tags: ColourTags? { get }
    /// Losses to note in the manifest.
    var notes: [String] { get }
    /// Writes the next row into exactly `layout.rowBytes`.
    ///
    /// After a fault, every later call throws too.
    func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault)
}

extension DecodedRows {
    package var tags: ColourTags? { nil }
    package var notes: [String] { [] }
}

/// Memory layout of decoded rows: interleaved samples without padding.
package struct RowLayout: Hashable, Sendable {
    package var width: Int
    package var height: Int
    /// 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA or CMYK; alpha is not premultiplied.
    package var bands: Int
    /// 1, or 2 for full-range 16-bit samples in native byte order.
    package var bytesPerSample: Int
    /// True if the four samples are CMYK, where a larger value means more ink.
    package var isCMYK: Bool

    package init(
        width: Int, height: Int, bands: Int, bytesPerSample: Int = 1, isCMYK: Bool = false
    ) {
        self.width = width
        self.height = height
        self.bands = bands
        self.bytesPerSample = bytesPerSample
        self.isCMYK = isCMYK
    }

    package var rowBytes: Int { width * bands * bytesPerSample }
}
