import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning

extension AttachmentError {
    /// libvips has no error codes, so the message is searched; unknown messages mean damage.
    static func decoding(
        _ error: VipsError, of file: AttachmentFile, header: AttachmentHeader,
        _ cancellation: Cancellation
    ) -> AttachmentError {
        guard !cancellation.isRequested else { return .cancelled(file.path) }
        let words = error.message.lowercased()
        let says = { (phrases: [String]) in phrases.contains { words.contains($0) } }
        let format = header.format.rawValue.uppercased()
        let (code, reason): (Code, String) =
            if says(["write error", "no space left", "unable to write"]) {
                (.storage, "the rendition cannot be written")
            } else if says(["exceeds the maximum", "too large", "too big"]) {
                (.dimensions, "\(header.storedSize) is more than the \(format) decoder takes")
            } else if says(["unsupported", "not supported", "not implemented"]) {
                (.unsupported, "the \(format) decoder does not support this coding")
            } else if says([
                "premature end of", "unexpected end",
                "end of file", "file bounds", "truncated",
            ]) || (header.decodableCoding?.endsEarly(file) ?? false) {
                (.truncated, "the \(format) ends before its picture does")
            } else {
                (.corrupt, "the \(format) data is damaged")
            }
        return AttachmentError(code, file: file.path, reason: reason, detail: error.description)
    }
}

extension RenderingContext {
    /// Runs a step that calls libvips, and converts its error to the attachment's.
    func decoding<Value: ~Copyable>(
        _ step: () throws(VipsError) -> Value
    ) throws(AttachmentError) -> Value {
        do {
            let value = try step()
            VipsError.clearWarnings()
            return value
        } catch {
            if let fault = error.fault, !cancellation.isRequested {
                throw AttachmentError(fault, of: file, plan.header)
            }
            throw .decoding(error, of: file, header: plan.header, cancellation)
        }
    }
}
