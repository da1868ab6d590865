internal import AttachmentContainer

/// Header facts of a coded HEVC or AV1 frame that determine its decoding memory.
///
/// They come from the frame itself, because its decoder allocates by them. A file's tables are not
/// trustworthy.
package struct FrameHeader: Sendable, Hashable {
    /// True for AV1, false for HEVC.
    var isAV1: Bool
    var codedSize: PixelSize
    /// Size after the conformance window of HEVC.
    var croppedSize: PixelSize?
    var bitsPerSample = 8
    var chromaSubsampling: ChromaSubsampling? = .yCbCr420
    /// Number of AV1 tiles or HEVC slice segments.
    var pieces: Int
    var isSegmented = false
    /// Side of an AV1 superblock or an HEVC coding tree block; 32 counts as 64 for AV1.
    var blockSide = 32
    /// Length of the longest frame of this kind, in bytes.
    var codedBytes: Int

    var size: PixelSize { croppedSize ?? codedSize }
}
