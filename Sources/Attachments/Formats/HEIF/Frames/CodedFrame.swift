internal import AttachmentContainer

struct CodedFrame {
    var isAV1: Bool
    var configuration: [UInt8]
    var extents: [Range<Int>]
    var width: Int
    var height: Int
    /// Colours from `nclx`; nil if the bitstream's colours apply.
    var colours: CodedColours?
    /// True for a frame with a profile, which is never tone-mapped.
    var hasProfile = false
    var isAlpha = false

    var size: PixelSize { PixelSize(width: width, height: height) }

    /// Start of the coded picture; faults state it because decoders do not report positions.
    var offset: Int { extents.first?.lowerBound ?? 0 }

    var codedBytes: Int { extents.reduce(0) { $0.addingReportingOverflow($1.count).partialValue } }

    func fault(_ code: DecodingFault.Code, _ reason: String) -> DecodingFault {
        DecodingFault(code, at: offset, reason)
    }

    /// Colours of the frame, given its bitstream's colours.
    func colours(
        inBitstream bitstream: CodedColours, isMonochrome: Bool
    ) throws(DecodingFault) -> CodedColours {
        var colours = colours ?? bitstream
        // The decoder does not tell limited range from a missing range, which is usual for HEVC alpha
        // planes in full range. libheif takes all of them as full.
        if isAlpha, !isAV1 { colours.isFullRange = true }
        guard !isMonochrome, let refusal = colours.matrixRefusal else { return colours }
        throw fault(.unsupported, refusal)
    }

    func checkSize(_ width: Int, _ height: Int) throws(DecodingFault) {
        guard width == self.width, height == self.height else {
            throw fault(
                .corrupt,
                "it has \(width) × \(height) pixels, not \(self.width) × \(self.height)")
        }
    }
}
