import AttachmentModel

/// Kinds of damage that make a decoder fail; raw values are those of libvips' `fail_on`.
package enum DecodeStrictness: String {
    /// No kind: missing rows stay blank.
    case tolerant = "none"
    case truncation = "truncated"
    /// Damage reported as an error.
    case error
    /// Anything reported as a warning.
    case warning

    /// libjpeg reports damage inside a scan as a warning, while warnings of
    /// other libraries mostly concern metadata.
    init(for format: AttachmentFormat, tolerant: Bool) {
        self = tolerant ? .tolerant : format == .jpeg ? .warning : .error
    }
}
