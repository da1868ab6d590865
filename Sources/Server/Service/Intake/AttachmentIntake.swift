import AttachmentContainer
import AttachmentModel

/// Processing of uploaded attachments.
protocol AttachmentIntake: Sendable {
    /// Makes the renditions of an attachment and publishes them under an identifier.
    func process(
        _ upload: Upload, _ label: AttachmentLabel, until deadline: ContinuousClock.Instant
    ) async throws(Problem) -> ProcessedAttachment

    /// Reads the header of an attachment and plans it.
    func inspect(
        _ upload: Upload, until deadline: ContinuousClock.Instant
    ) async throws(Problem) -> InspectedAttachment
}

/// Identifier, category and presets of an uploaded attachment.
struct AttachmentLabel: Sendable {
    /// Nil for the digest of the bytes, so that equal attachments share a manifest.
    var identifier: String?
    var category: String?
    /// Presets; nil for the service's.
    var presets: PresetSelection?

    /// Longest identifier and category, in code points, as in `/openapi.json`.
    static let maximumLength = 256

    /// Reads names separated by commas.
    static func presets(_ text: String?) throws(Problem) -> PresetSelection? {
        guard let text else { return nil }
        guard let presets = PresetSelection(parsing: text) else {
            let names = Preset.allCases.map(\.rawValue)
            let given = text.split(separator: ",").map { String($0.filter { $0 != " " }) }
            throw .unknown("preset", given.first { !names.contains($0) } ?? text, names)
        }
        return presets
    }

    /// The identifier of an attachment with a digest.
    ///
    /// An attachment without a name shares the manifest of equal attachments with equal presets.
    func identifier(of digest: ContentDigest) -> String {
        if let identifier { return identifier }
        let presets = presets.map { "-" + $0.presets.map(\.rawValue).joined(separator: "+") }
        return "sha256-\(digest)\(presets ?? "")"
    }

    func checked() throws(Problem) -> AttachmentLabel {
        for (name, value) in [("identifier", identifier), ("category", category)] {
            guard let value else { continue }
            guard 1...Self.maximumLength ~= value.unicodeScalars.count, !value.utf8.contains(0)
            else {
                throw .invalid(name, "from 1 to \(Self.maximumLength) characters without NUL")
            }
        }
        return self
    }
}
