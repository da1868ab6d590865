internal import AttachmentContainer

/// Facts of a frame that determine its decoding memory, from the frame itself, not the file's
/// tables.
package struct FrameHeader: Sendable, Hashable {
    var isAV1: Bool
    var codedSize: PixelSize
    /// Size after the conformance window of HEVC.
    var croppedSize: PixelSize?
    var bitsPerSample = 8
    var chromaSubsampling: ChromaSubsampling? = .yCbCr420
    var pieces: Int
    var isSegmented = false
    /// True if frames may refer to earlier ones.
    var hasReferences = false
    /// Size of the decoded picture buffer of HEVC, with the current picture.
    var heldPictures = 1
    /// Side of an AV1 superblock or an HEVC coding tree block; 32 counts as 64 for AV1.
    var blockSide = 32
    var codedBytes: Int
    /// Colours of AV1 by its sequence header; nil if they were not read.
    var colours: CodedColours?

    var size: PixelSize { croppedSize ?? codedSize }
}
