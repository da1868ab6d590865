import AttachmentDecoding
import AttachmentIntake
import AttachmentPlanning

extension AttachmentError {
    /// Says what a fault of a decoder of ours means for the attachment.
    ///
    /// - Parameters:
    ///   - fault: What the decoder threw.
    ///   - file: The attachment.
    ///   - header: What the probe learnt of it.
    init(_ fault: DecodingFault, of file: AttachmentFile, _ header: AttachmentHeader) {
        let format = header.format.rawValue.uppercased()
        let (code, reason): (Code, String) =
            switch fault.code {
            case .corrupt: (.corrupt, "the \(format) data is damaged")
            case .truncated: (.truncated, "the \(format) ends before its picture does")
            case .unsupported: (.unsupported, "no \(format) decoder supports this coding")
            case .overCeiling: (.overCap, "the \(format) asks for more than its decoder may hold")
            case .unreadable: (.unreadable, "it cannot be read")
            case .scratch: (.storage, "its frames have no place")
            case .cancelled: (.cancelled, "it was withdrawn")
            }
        self.init(
            code, file: file.path, reason: "\(reason): \(fault.reason)", detail: fault.description)
    }

    /// Whether a bounded decoder threw it for a coding that it does not support.
    ///
    /// `overCap` is not such an error: a library would allocate at least as much.
    var isUnsuitedDecoder: Bool { code == .unsupported }
}

extension AttachmentFormat {
    /// Whether the library may decode what the bounded decoder does not support.
    ///
    /// libheif allocates by the coded frames and by derived items such as overlays, whatever size the
    /// primary item declares, so that no prediction from the primary item holds for it.
    var hasLibraryFallback: Bool { self != .heic && self != .avif }
}
