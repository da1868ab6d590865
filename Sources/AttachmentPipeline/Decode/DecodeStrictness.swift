import AttachmentPlanning

/// Which damage makes a decoder fail, in libvips' words for `fail_on`.
enum DecodeStrictness: String {
    /// None: missing rows stay blank.
    case tolerant = "none"
    /// A file that ends early.
    case truncation = "truncated"
    /// Damage that the decoder reports as an error.
    case error
    /// Anything that the decoder remarks on.
    case warning

    /// What to begin with: libjpeg calls damage inside a scan a warning, while the warnings of the
    /// other libraries are mostly about metadata.
    ///
    /// - Parameters:
    ///   - format: The kind of picture.
    ///   - tolerant: Whether damaged pictures are wanted.
    init(for format: AttachmentFormat, tolerant: Bool) {
        self = tolerant ? .tolerant : format == .jpeg ? .warning : .error
    }
}
