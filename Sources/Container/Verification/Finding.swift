/// A result of verifying a container.
public struct Finding: Sendable, Hashable, Codable {
    /// The kind of finding, stable across releases.
    public let code: Code
    /// The path, relative to the container.
    public let path: String
    /// The finding, in a sentence without its full stop.
    public let message: String

    /// Importance of the finding.
    public var severity: Severity { code.severity }

    /// Importance of a finding.
    public enum Severity: String, Sendable, Codable, CaseIterable {
        /// Nothing is wrong.
        case information
        /// Nothing is lost, but the cause deserves a look.
        case warning
        /// A notification, or a part of it, cannot be shown.
        case error
    }

    /// The kinds of finding, whose raw values appear in JSON reports.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The system denies read access.
        case unreadable
        /// A manifest does not follow the format, or its version is unknown.
        case corruptManifest = "corrupt-manifest"
        /// A manifest's identifier does not match its file name.
        case wrongKey = "wrong-key"
        case missingRendition = "missing-rendition"
        /// A rendition is missing although its URL was given out.
        case missingPublished = "missing-published"
        /// A rendition's length differs from the one in its manifest.
        case wrongLength = "wrong-length"
        /// A rendition's bytes do not match the digest in its name.
        case damagedRendition = "damaged-rendition"
        /// No manifest names the rendition: it is new, or awaits pruning.
        case unreferencedRendition = "unreferenced-rendition"
        /// A result that is no longer reusable.
        case staleResult = "stale-result"
        /// A file that an interrupted pruning renamed and did not remove.
        case condemned
        /// A file in `incoming/` without writes for an hour.
        case staleIncoming = "stale-incoming"
        /// A file or folder outside the layout.
        case stray
    }
}

extension Finding.Code {
    /// Importance of a finding of this kind.
    public var severity: Finding.Severity {
        switch self {
        case .unreadable, .corruptManifest, .wrongKey, .missingRendition, .missingPublished,
            .wrongLength, .damagedRendition:
            .error
        case .stray: .warning
        case .unreferencedRendition, .staleResult, .condemned, .staleIncoming: .information
        }
    }
}

extension Finding: CustomStringConvertible {
    /// Severity, path and message, in one line.
    public var description: String { "\(severity.rawValue): \(path): \(message)" }
}
