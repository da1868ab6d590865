import AttachmentModel

/// Kinds of damage that make a decoder fail.
package enum DecodeStrictness {
    /// No kind: missing rows stay blank.
    case tolerant
    /// Damage reported as an error.
    case error
    /// Damage that loses pixels, whether reported as an error or as a warning.
    case loss
    /// Anything reported as a warning.
    case warning

    /// libjpeg reports damage inside a scan as a warning, while warnings of
    /// other libraries mostly concern metadata.
    init(for format: AttachmentFormat, tolerant: Bool) {
        self = tolerant ? .tolerant : format == .jpeg ? .loss : .error
    }

    /// Value of libvips' `fail_on`; faults that lose no pixel are mended before libvips reads a JPEG.
    package var failOn: String {
        switch self {
        case .tolerant: "none"
        case .error: "error"
        case .loss, .warning: "warning"
        }
    }
}
