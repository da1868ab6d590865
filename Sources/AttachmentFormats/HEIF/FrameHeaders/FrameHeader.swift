package import AttachmentContainer

/// Header facts of a coded HEVC or AV1 frame that determine its decoding memory.
///
/// They come from the frame itself, because its decoder allocates by them. A file's tables are not
/// trustworthy.
package struct FrameHeader: Sendable, Hashable {
    /// True for AV1, false for HEVC.
    package var isAV1: Bool
    /// Coded size, in pixels; for HEVC, before the conformance window crops it.
    package var codedSize: PixelSize
    /// Size of the decoded picture, in pixels.
    package var size: PixelSize
    /// Bits per luma sample.
    package var bitsPerSample: Int
    /// Nil for luma only.
    package var chromaSubsampling: ChromaSubsampling?
    /// Number of AV1 tiles or HEVC slice segments.
    package var pieces: Int
    /// True if AV1 segmentation is enabled.
    package var isSegmented: Bool
    /// Side of an AV1 superblock or an HEVC coding tree block, in luma samples.
    package var blockSide: Int
    /// Length of the longest frame of this kind, in bytes.
    package var codedBytes: Int

    /// Creates a header; without a block side, that of HEVC is assumed, which counts as 64 for AV1.
    package init(
        isAV1: Bool, codedSize: PixelSize, size: PixelSize? = nil, bitsPerSample: Int = 8,
        chromaSubsampling: ChromaSubsampling? = .yCbCr420, pieces: Int = 1,
        isSegmented: Bool = false, blockSide: Int = 32, codedBytes: Int
    ) {
        self.isAV1 = isAV1
        self.codedSize = codedSize
        self.size = size ?? codedSize
        self.bitsPerSample = bitsPerSample
        self.chromaSubsampling = chromaSubsampling
        self.pieces = pieces
        self.isSegmented = isSegmented
        self.blockSide = blockSide
        self.codedBytes = codedBytes
    }
}
