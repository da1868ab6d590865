internal import AttachmentContainer

/// One AV1 or HEVC picture inside a file.
struct CodedFrame {
    /// True for AV1 (items of type `av01`), false for ITU-T H.265 (`hvc1`).
    var isAV1: Bool
    /// Decoder configuration record: the payload of the `hvcC` or `av1C` box.
    var configuration: [UInt8]
    /// Byte ranges of the coded picture in the file, in order.
    var extents: [Range<Int>]
    var width: Int
    var height: Int
    /// Colours stated by the item (`nclx`); nil if those of the bitstream apply.
    var colours: CodedColours?
    /// True if an ICC profile defines the colours; such a frame is never tone-mapped.
    var hasProfile = false

    var size: PixelSize { PixelSize(width: width, height: height) }

    /// Start of the coded picture; faults state it because decoders do not report positions.
    var offset: Int { extents.first?.lowerBound ?? 0 }

    var codedBytes: Int { extents.reduce(0) { $0.addingReportingOverflow($1.count).partialValue } }

    func fault(_ code: DecodingFault.Code, _ reason: String) -> DecodingFault {
        DecodingFault(code, at: offset, reason)
    }

    func checkSize(_ width: Int, _ height: Int) throws(DecodingFault) {
        guard width == self.width, height == self.height else {
            throw fault(
                .corrupt,
                "it has \(width) × \(height) pixels, not \(self.width) × \(self.height)")
        }
    }
}
