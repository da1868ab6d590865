public import AttachmentContainer

/// Facts of a coded HEVC or AV1 frame that its memory depends on, read from the frame's own header.
///
/// The tables of a file may claim anything of a frame; its decoder allocates by these.
public struct FrameHeader: Sendable, Hashable, Codable {
    /// Whether the frame is coded with AV1; otherwise with HEVC.
    public var isAV1: Bool
    /// The coded size, in pixels; for HEVC before the conformance window crops it.
    public var codedSize: PixelSize
    /// The size of the decoded picture, in pixels.
    public var size: PixelSize
    /// The depth of a luma sample, in bits.
    public var bitsPerSample: Int
    /// Luma to chroma sampling as in `4:2:0`; nil for luma only.
    public var chromaSubsampling: String?
    /// The number of AV1 tiles or HEVC slice segments.
    public var pieces: Int
    /// Whether AV1 blocks belong to segments.
    public var isSegmented: Bool
    /// The side of an AV1 superblock or an HEVC coding tree block, in luma samples.
    public var blockSide: Int
    /// The length of the longest frame of this kind, in bytes.
    public var codedBytes: Int

    /// Makes a header from its parts.
    ///
    /// - Parameters:
    ///   - isAV1: Whether the frame is coded with AV1.
    ///   - codedSize: The coded size, in pixels.
    ///   - size: The size of the decoded picture, in pixels. The default is the coded size.
    ///   - bitsPerSample: The depth of a luma sample, in bits. The default is 8.
    ///   - chromaSubsampling: Luma to chroma sampling. The default is `4:2:0`.
    ///   - pieces: AV1 tiles or HEVC slice segments. The default is 1.
    ///   - isSegmented: Whether AV1 blocks belong to segments. The default is false.
    ///   - blockSide: The side of an AV1 superblock or an HEVC coding tree block. The default is 32 for
    ///     HEVC; for AV1 it stands for 64.
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
