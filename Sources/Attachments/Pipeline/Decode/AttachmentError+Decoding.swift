package import AttachmentFormats
package import AttachmentModel

extension AttachmentError {
    package init(_ fault: DecodingFault, of file: AttachmentFile, _ header: AttachmentHeader) {
        let format = header.format.rawValue.uppercased()
        let (code, reason): (Code, String) =
            switch fault.code {
            case .corrupt: (.corrupt, "the \(format) data is damaged")
            case .truncated: (.truncated, "the \(format) ends before its picture does")
            case .unsupported: (.unsupported, "no \(format) decoder supports this coding")
            case .limit: (.decoderLimit, "the \(format) exceeds a limit of its decoder")
            case .overCeiling:
                (.overCap, "the \(format) needs more memory than its decoder may use")
            case .unreadable: (.unreadable, "it cannot be read")
            case .scratch: (.storage, "scratch files for its frames are not available")
            case .scratchLimit: (.scratchLimit, "the \(format) needs more scratch files")
            case .cancelled: (.cancelled, "it was cancelled")
            }
        self.init(
            code, file: file.path, reason: "\(reason): \(fault.reason)", detail: fault.description)
    }

    /// True if a bounded decoder does not support the coding.
    ///
    /// `overCap` does not count: a library would allocate at least as much.
    var isUnsupportedCoding: Bool { code == .unsupported }

    /// True for an error of the file's bytes, which a tolerant decoder may pass over.
    var isDamage: Bool { code == .corrupt || code == .truncated }
}
