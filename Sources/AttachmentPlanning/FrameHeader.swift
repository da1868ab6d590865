public import AttachmentContainer

/// Header facts of a coded HEVC or AV1 frame that determine its decoding memory.
///
/// They come from the frame itself, because its decoder allocates by them. A file's tables are not
/// trustworthy.
public struct FrameHeader: Sendable, Hashable, Codable {
    /// True for AV1, false for HEVC.
    public var isAV1: Bool
    /// Coded size, in pixels; for HEVC, before the conformance window crops it.
    public var codedSize: PixelSize
    /// Size of the decoded picture, in pixels.
    public var size: PixelSize
    /// Bits per luma sample.
    public var bitsPerSample: Int
    /// Chroma subsampling such as `4:2:0`; nil for luma only.
    public var chromaSubsampling: String?
    /// Number of AV1 tiles or HEVC slice segments.
    public var pieces: Int
    /// True if AV1 segmentation is enabled.
    public var isSegmented: Bool
    /// Side of an AV1 superblock or an HEVC coding tree block, in luma samples.
    public var blockSide: Int
    /// Length of the longest frame of this kind, in bytes.
    public var codedBytes: Int

    /// Creates a header.
    ///
    /// - Parameters:
    ///   - isAV1: True for AV1, false for HEVC.
    ///   - codedSize: The coded size, in pixels.
    ///   - size: The size of the decoded picture, in pixels. The default is the coded size.
    ///   - bitsPerSample: The bits per luma sample. The default is 8.
    ///   - chromaSubsampling: The chroma subsampling. The default is `4:2:0`.
    ///   - pieces: The number of AV1 tiles or HEVC slice segments. The default is 1.
    ///   - isSegmented: True if AV1 segmentation is enabled. The default is false.
    ///   - blockSide: The side of an AV1 superblock or an HEVC coding tree block. The default is 32
    ///     for HEVC; for AV1 it counts as 64.
    ///   - codedBytes: The length of the longest frame of this kind, in bytes.
    public init(
        isAV1: Bool, codedSize: PixelSize, size: PixelSize? = nil, bitsPerSample: Int = 8,
        chromaSubsampling: String? = "4:2:0", pieces: Int = 1, isSegmented: Bool = false,
        blockSide: Int = 32, codedBytes: Int
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
