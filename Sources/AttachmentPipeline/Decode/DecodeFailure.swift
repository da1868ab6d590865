import AttachmentFormats
import AttachmentModel

extension AttachmentError {
    /// Converts a failure of libvips to the attachment's error.
    ///
    /// libvips has no error codes, so the message is searched; unknown messages mean damage.
    static func decoding(
        _ error: VipsError, of file: AttachmentFile, header: AttachmentHeader,
        _ cancellation: Cancellation
    ) -> AttachmentError {
        guard !cancellation.isRequested else {
            return AttachmentError(.cancelled, file: file.path, reason: "it was cancelled")
        }
        let words = error.message.lowercased()
        let says = { (phrases: [String]) in phrases.contains { words.contains($0) } }
        let format = header.format.rawValue.uppercased()
        if says(["write error", "no space left", "unable to write"]) {
            return AttachmentError(
                .storage, file: file.path, reason: "the rendition cannot be written",
                detail: error.description)
        }
        if says(["exceeds the maximum", "too large", "too big"]) {
            return AttachmentError(
                .dimensions, file: file.path,
                reason: "\(header.storedSize) is more than the \(format) decoder takes",
                detail: error.description)
        }
        if says(["unsupported", "not supported", "not implemented"]) {
            return AttachmentError(
                .unsupported, file: file.path,
                reason: "the \(format) decoder does not support this coding",
                detail: error.description)
        }
        if says([
            "premature end of jpeg", "premature end of input", "unexpected end", "end of file",
            "file bounds", "truncated",
        ])
            || (header.decodableCoding?.endsEarly(file) ?? false)
        {
            return AttachmentError(
                .truncated, file: file.path, reason: "the \(format) ends before its picture does",
                detail: error.description)
        }
        return AttachmentError(
            .corrupt, file: file.path, reason: "the \(format) data is damaged",
            detail: error.description)
    }
}

extension AttachmentError {
    /// The note for a libjpeg warning that browsers and Pillow ignore; nil for other errors.
    var ignorableWarningNote: String? {
        guard code == .corrupt else { return nil }
        return Self.ignorableWarnings.first { detail.contains($0.warning) }?.note
    }

    /// libjpeg's warnings (`jerror.h`), with notes for the manifest.
    private static let ignorableWarnings = [
        // Some cameras write them between segments.
        (warning: "extraneous bytes before marker", note: "stray bytes were skipped"),
        // Read as YCbCr, or with four components as YCCK.
        (
            warning: "Unknown Adobe color transform code",
            note: "an unknown Adobe colour transform was ignored"
        ),
        // libjpeg resumes at the next plausible restart marker.
        (warning: "instead of RST", note: "restart markers were out of order"),
    ]
}
