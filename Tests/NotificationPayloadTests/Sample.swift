import NotificationPayload
import Testing

/// Parses a payload.
func payload(_ text: String) throws -> APNsPayload {
    try APNsPayload(parsing: text.utf8)
}

/// Parses a document.
func document(_ text: String) throws -> JSONDocument {
    try JSONDocument(parsing: text.utf8)
}

/// Parses a path.
func path(_ text: String) throws -> JSONPath {
    try JSONPath(parsing: text)
}

extension JSONDocument {
    /// The document as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension APNsPayload {
    /// The payload as text.
    var text: String { document.text }
}

extension Sequence<PayloadSplitter.Piece> {
    /// The concatenated bytes of the pieces.
    var stream: String { String(decoding: flatMap(\.bytes), as: UTF8.self) }

    /// The texts and lines of the documents.
    var documents: [String] {
        compactMap {
            guard case .document(let document, let line) = $0 else { return nil }
            return "\(line): \(document.text)"
        }
    }

    /// The codes and lines of refused pieces.
    var refusals: [String] {
        compactMap {
            guard case .refused(_, let error) = $0 else { return nil }
            return "\(error.line ?? 0): \(error.code.rawValue)"
        }
    }
}
