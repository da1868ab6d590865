/// One AV1 or HEVC picture inside a file.
package struct CodedFrame: Sendable {
    package enum Codec: Sendable, Hashable {
        /// ITU-T H.265, items of type `hvc1`.
        case hevc
        /// The AV1 bitstream specification, items of type `av01`.
        case av1
    }

    package var codec: Codec
    /// Decoder configuration record: the payload of the `hvcC` or `av1C` box.
    package var configuration: [UInt8]
    /// Byte ranges of the coded picture in the file, in order.
    package var extents: [Range<Int>]
    /// Width stated by the file (`ispe`).
    package var width: Int
    /// Height stated by the file (`ispe`).
    package var height: Int
    /// Colours stated by the item (`nclx`); nil if those of the bitstream apply.
    package var colours: CodedColours?
    /// True if an ICC profile defines the colours.
    ///
    /// Such a frame is never tone-mapped.
    package var hasProfile: Bool

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

    /// Start of the coded picture in the file.
    ///
    /// Faults state it because decoders do not report positions.
    var offset: Int { extents.first?.lowerBound ?? 0 }

    /// Stated length of the coded picture.
    var codedBytes: Int { extents.reduce(0) { $0.addingReportingOverflow($1.count).partialValue } }
}

/// Colour description as code points of ITU-T H.273 (ISO/IEC 23091-2).
package struct CodedColours: Sendable, Hashable {
    /// ColourPrimaries (H.273, table 2).
    package var primaries: Int
    /// TransferCharacteristics (H.273, table 3).
    package var transfer: Int
    /// MatrixCoefficients (H.273, table 4).
    package var matrix: Int
    /// VideoFullRangeFlag.
    package var isFullRange: Bool

    package init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        self.primaries = primaries
        self.transfer = transfer
        self.matrix = matrix
        self.isFullRange = isFullRange
    }
}
