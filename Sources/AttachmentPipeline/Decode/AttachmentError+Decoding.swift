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
            case .overCeiling:
                (.overCap, "the \(format) needs more memory than its decoder may use")
            case .unreadable: (.unreadable, "it cannot be read")
            case .scratch: (.storage, "scratch files for its frames are not available")
            case .cancelled: (.cancelled, "it was cancelled")
            }
        self.init(
            code, file: file.path, reason: "\(reason): \(fault.reason)", detail: fault.description)
    }

    /// True if a bounded decoder does not support the coding.
    ///
    /// `overCap` does not count: a library would allocate at least as much.
    var isUnsupportedCoding: Bool { code == .unsupported }

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
