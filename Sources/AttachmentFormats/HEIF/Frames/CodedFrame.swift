internal import AttachmentContainer

struct CodedFrame {
    var isAV1: Bool
    var configuration: [UInt8]
    var extents: [Range<Int>]
    var width: Int
    var height: Int
    /// From `nclx`; nil if those of the bitstream apply.
    var colours: CodedColours?
    /// Such a frame is never tone-mapped.
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
