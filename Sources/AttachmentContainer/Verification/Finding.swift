/// Something that verification noticed in a container.
public struct Finding: Sendable, Hashable, Codable {
    /// What kind of finding it is, stable across releases.
    public let code: Code
    /// The path, relative to the container.
    public let path: String
    /// What was found, in a sentence without its full stop.
    public let message: String

    /// How much the finding matters.
    public var severity: Severity { code.severity }

    /// How much a finding matters.
    public enum Severity: String, Sendable, Codable, CaseIterable {
        /// Nothing is wrong.
        case information
        /// Nothing is lost, but somebody should look.
        case warning
        /// A notification, or a part of it, cannot be shown.
        case error
    }

    /// The kinds of finding.
    ///
    /// The raw values appear in JSON reports.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The system does not let it be read.
        case unreadable
        /// A manifest is not what the format says, or of an unknown version.
        case corruptManifest = "corrupt-manifest"
        /// A manifest belongs to another notification than its name says.
        case wrongKey = "wrong-key"
        /// A manifest names a rendition that is not there.
        case missingRendition = "missing-rendition"
        /// The URL of a rendition was given out, and the rendition is not there.
        case missingPublished = "missing-published"
        /// A rendition has another length than its manifest says.
        case wrongLength = "wrong-length"
        /// The bytes of a rendition do not have the digest that is its name.
        case damagedRendition = "damaged-rendition"
        /// No manifest names the rendition: it is new, or to be removed.
        case unreferencedRendition = "unreferenced-rendition"
        /// A result that can no longer be reused.
        case staleResult = "stale-result"
        /// A file that a pruning which was cut short has taken out of sight.
        case condemned
        /// A file in `incoming/` that nobody has written to for an hour.
        case staleIncoming = "stale-incoming"
        /// A file or folder that is no part of the layout.
        case stray
    }
}

extension Finding.Code {
    /// How much a finding of this kind matters.
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
    /// Severity, path and message, in one line for a person.
    public var description: String { "\(severity.rawValue): \(path): \(message)" }
}
