internal import AttachmentContainer
package import AttachmentModel

/// Header of a JPEG XL codestream.
struct JPEGXLStructure: Sendable, Hashable {
    var size: PixelSize
    var orientation = Orientation.upright
    var bitsPerSample = 8
    var extraChannels: [ExtraChannel] = []
    var isAnimated = false
    /// True if the colours are converted to XYB, and can be decoded to any colour space.
    var isXYB = true
    var colours = JPEGXLColours()
    /// Length of the compressed profile, in bytes; 0 without one.
    var profileBytes = 0
    /// The first frame; nil behind a compressed profile, which the probe does not decompress.
    var firstFrame: JPEGXLFrame?
    /// The JPEG that the file was made from without loss; nil for other pictures.
    var transcodedJPEG: SourceJPEG?
    var hasMetadata = false

    init(size: PixelSize) { self.size = size }

    enum SourceJPEG: Sendable {
        /// All components in one scan.
        case baseline
        /// JPEG of several scans, whose coefficients libjpeg would hold.
        case other
    }

    var hasAlpha: Bool { extraChannels.contains { $0 == .alpha } }

    var frameCoding: JPEGXLFrame.Coding { firstFrame?.coding ?? .unknown }
}

/// Header of a frame (ISO/IEC 18181-1, annex F).
struct JPEGXLFrame: Sendable, Hashable {
    enum Kind: Int {
        case regular
        /// The 1:8 frame of a following one.
        case lowFrequency
        /// Not shown, for parts of following frames.
        case reference
        case regularWithoutProgress
    }

    enum Coding: String, Sendable {
        case varDCT = "lossy"
        case modular
        /// Coding of frames that are not read, or do not state it.
        case unknown = "compressed"
    }

    var coding: Coding
    /// Nil for the picture's.
    var size: PixelSize?

    /// Flag of a frame without low frequencies of its own.
    static let usesLowFrequencyFrame: UInt64 = 0x20
}

/// Kind of a channel beside grey or RGB (ISO/IEC 18181-1, table E.3).
enum ExtraChannel: Sendable, Hashable {
    case alpha
    case black
    case other

    init(code: Int) {
        switch code {
        case 0: self = .alpha
        case 4: self = .black
        default: self = .other
        }
    }
}

/// Enumerated colour space of the original picture (ISO/IEC 18181-1, E.2).
package struct JPEGXLColours: Sendable, Hashable {
    var isGrey = false
    /// True if an embedded ICC profile replaces the fields below.
    var hasProfile = false
    var isD65 = true
    /// Code of H.273, except 11 for Display P3; 2 for explicit coordinates.
    var primaries = 1
    /// Code of H.273; nil for a gamma.
    var transfer: Int? = 13

    /// True if samples need no conversion to sRGB.
    var isSRGB: Bool {
        !hasProfile && isD65 && (isGrey || primaries == 1) && transfer == 13
    }

    /// True for PQ and HLG in RGB.
    package var isHighDynamicRange: Bool {
        !hasProfile && !isGrey && (transfer == 16 || transfer == 18)
    }

    /// Colours of samples that the decoder leaves as stored; nil for sRGB.
    package var tags: ColourTags? {
        let codes = [1: 1, 9: 9, 11: 12]
        return ColourTags(primaries: codes[primaries] ?? 9, transfer: transfer ?? 2)
    }
}
