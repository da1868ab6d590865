/// A small picture that travels in a payload: "Thimble inline picture", version 1.
///
/// It is the frame of an AV1 still without the headers of its file, which the device makes again. The
/// first four bytes tell version, tools of the coding, width and height; see <doc:InlinePictureFormat>.
/// Reading checks everything that can be told without decoding. The frame's own pixels may still be
/// malformed, so the decoder must be one for files of strangers.
public struct InlinePicture: Sendable, Hashable {
    /// Width, in pixels, from 1 to 256.
    public let width: Int
    /// Height, in pixels, from 1 to 256.
    public let height: Int
    /// Tools and chroma of the coding.
    public let coding: Coding
    /// The content of the frame's open bitstream unit, without its header.
    public let frame: [UInt8]

    /// The version that this type reads and writes.
    public static let version: UInt8 = 1
    /// Longest side, in pixels: one byte holds the side less one.
    public static let maximumSide = 256
    /// Bytes before the frame.
    public static let headerBytes = 4
    /// Maximum length with its header, in bytes: a payload for VoIP, the longest that APNs takes.
    public static let maximumBytes = 5120

    /// Tools and chroma of the coding, the second byte of the format.
    public struct Coding: OptionSet, Sendable, Hashable {
        /// The byte in the format.
        public let rawValue: UInt8

        /// Creates a set from the byte in the format.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Superblocks of 128 pixels, `use_128x128_superblock`.
        public static let largeSuperblocks = Coding(rawValue: 1 << 0)
        /// Recursive prediction, `enable_filter_intra`.
        public static let filterIntra = Coding(rawValue: 1 << 1)
        /// Filtered edges of prediction, `enable_intra_edge_filter`.
        public static let intraEdgeFilter = Coding(rawValue: 1 << 2)
        /// The directional enhancement filter, `enable_cdef`.
        public static let directionalFilter = Coding(rawValue: 1 << 3)
        /// Loop restoration, `enable_restoration`.
        public static let restoration = Coding(rawValue: 1 << 4)
        /// Quantisers of their own for Cb and Cr, `separate_uv_delta_q`.
        public static let separateChromaQuantisers = Coding(rawValue: 1 << 6)
        /// Chroma at full size (4:4:4, AV1 profile 1); without it 4:2:0.
        ///
        /// No device of Apple's has shown yet that ImageIO decodes it.
        public static let fullChroma = Coding(rawValue: 1 << 5)

        /// The bits of version 1.
        static let known: Coding = [
            .largeSuperblocks, .filterIntra, .intraEdgeFilter, .directionalFilter, .restoration,
            .fullChroma, .separateChromaQuantisers,
        ]
    }

    /// Reads a picture.
    ///
    /// - Parameter bytes: The whole picture, without base64url.
    /// - Throws: `InlinePictureError` naming what is wrong.
    public init(bytes: some Collection<UInt8>) throws(InlinePictureError) {
        guard bytes.count <= Self.maximumBytes else {
            throw InlinePictureError(
                .tooLong, "it has \(bytes.count) bytes, more than \(Self.maximumBytes)")
        }
        let bytes = Array(bytes)
        guard let version = bytes.first else { throw InlinePictureError(.truncated, "it is empty") }
        guard version == Self.version else {
            throw InlinePictureError(.version, "its version is \(version), not \(Self.version)")
        }
        guard bytes.count > Self.headerBytes else {
            throw InlinePictureError(.truncated, "it ends before the frame")
        }
        try self.init(
            width: Int(bytes[2]) + 1, height: Int(bytes[3]) + 1, Coding(rawValue: bytes[1]),
            frame: Array(bytes[Self.headerBytes...]))
    }

    init(
        width: Int, height: Int, _ coding: Coding, frame: [UInt8]
    ) throws(InlinePictureError) {
        guard coding.isSubset(of: .known) else {
            throw InlinePictureError(.coding, "its coding has bits that version 1 does not define")
        }
        (self.width, self.height, self.coding, self.frame) = (width, height, coding, frame)
        try AV1FrameStart(frame).validate()
    }

    /// The picture in the format's bytes.
    public var bytes: [UInt8] {
        [Self.version, coding.rawValue, UInt8(width - 1), UInt8(height - 1)] + frame
    }
}

extension InlinePicture: CustomStringConvertible {
    /// Size, chroma and length.
    public var description: String {
        let chroma = coding.contains(.fullChroma) ? "4:4:4" : "4:2:0"
        return "\(width) × \(height), \(chroma), \(Self.headerBytes + frame.count) bytes"
    }
}
