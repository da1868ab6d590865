/// One coded picture, AV1 or HEVC, cut out of its file.
package struct CodedFrame: Sendable {
    /// How the picture is coded.
    package enum Codec: Sendable, Hashable {
        /// ITU-T H.265, items of type `hvc1`.
        case hevc
        /// The AV1 bitstream specification, items of type `av01`.
        case av1
    }

    /// How the picture is coded.
    package var codec: Codec
    /// The decoder configuration record: the payload of the `hvcC` or `av1C` box.
    package var configuration: [UInt8]
    /// Where the coded bytes lie in the file, in order, in bytes from the start of the file.
    package var extents: [Range<Int>]
    /// Pixels in a row, as the file says (`ispe`).
    package var width: Int
    /// Rows, as the file says (`ispe`).
    package var height: Int
    /// The colours that the item states (`nclx`); nil when those of the bitstream apply.
    package var colours: CodedColours?
    /// Whether an ICC profile says what the samples mean; a frame with one is never tone-mapped.
    package var hasProfile: Bool

    /// Describes a picture.
    ///
    /// - Parameters:
    ///   - codec: How it is coded.
    ///   - configuration: The payload of the `hvcC` or `av1C` box.
    ///   - extents: Where the coded bytes lie, in order, in bytes from the start of the file.
    ///   - width: Pixels in a row.
    ///   - height: Rows.
    ///   - colours: The colours that the item states. The default is those of the bitstream.
    ///   - hasProfile: Whether an ICC profile says what the samples mean. The default is no.
    package init(
        codec: Codec, configuration: [UInt8], extents: [Range<Int>], width: Int, height: Int,
        colours: CodedColours? = nil, hasProfile: Bool = false
    ) {
        self.codec = codec
        self.configuration = configuration
        self.extents = extents
        self.width = width
        self.height = height
        self.colours = colours
        self.hasProfile = hasProfile
    }

    /// Where the coded bytes begin, in bytes from the start of the file: what faults of a bitstream
    /// name, since decoders do not say where in it they stopped.
    var offset: Int { extents.first?.lowerBound ?? 0 }

    /// How long the picture is said to be, in bytes.
    var codedBytes: Int { extents.reduce(0) { $0.addingReportingOverflow($1.count).partialValue } }
}

/// What the samples of a frame mean, as code points of ITU-T H.273 (ISO/IEC 23091-2).
package struct CodedColours: Sendable, Hashable {
    /// ColourPrimaries (H.273, table 2).
    package var primaries: Int
    /// TransferCharacteristics (H.273, table 3).
    package var transfer: Int
    /// MatrixCoefficients (H.273, table 4).
    package var matrix: Int
    /// Whether samples use all codes, not only those that video leaves them (VideoFullRangeFlag).
    package var isFullRange: Bool

    /// Names the colours.
    ///
    /// - Parameters:
    ///   - primaries: ColourPrimaries.
    ///   - transfer: TransferCharacteristics.
    ///   - matrix: MatrixCoefficients.
    ///   - isFullRange: VideoFullRangeFlag.
    package init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
