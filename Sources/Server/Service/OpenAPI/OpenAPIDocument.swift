import AttachmentModel
import Foundation
import ServiceOptions

/// The description of the service at `/openapi.json`.
enum OpenAPIDocument {
    /// The document of this release, with the values of a configuration.
    ///
    /// - Parameters:
    ///   - configuration: Whose deadlines, presets and other rendition settings the document states.
    ///   - requiresToken: True if anonymous requests are not an alternative in the document.
    /// - Returns: The document, as JSON.
    /// - Throws: An error of `JSONSerialization`, if the document in the program is no JSON.
    static func bytes(
        of configuration: ServiceConfiguration, requiresToken: Bool
    ) throws -> [UInt8] {
        let template = try JSONSerialization.jsonObject(with: Data(PackageResources.openapi_json))
        var document = template as? [String: Any] ?? [:]
        document.set("info", "version", to: Release.version)
        if requiresToken { document.set("security", to: [["bearer": [String]()]]) }
        document.set(
            "components", "parameters", "Deadline", "description",
            to: "Seconds for the answer, or for each answer of a stream; "
                + "\(configuration.deadline.text) by default, at most \(configuration.maxDeadline.text)."
        )
        document.set(
            "components", "parameters", "Preset", "description",
            to: "Surfaces to make renditions for, all from one decoding, separated by commas; by "
                + "default \(configuration.renditions.presets).")
        let preset = "(\(Preset.allCases.map(\.rawValue).joined(separator: "|")))"
        document.set(
            "components", "schemas", "Presets", "pattern",
            to: "^\(preset)(,\(preset)){0,15}$")
        document.set("x-thimble-renditions", to: renditions(configuration.renditions))
        return [UInt8](
            try JSONSerialization.data(
                withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes]))
    }

    /// The settings of renditions by name; folders of the machine are nobody's business.
    private static func renditions(_ settings: ProcessingSettings) -> [String: [String: String]] {
        let options = RenditionOption.all.filter { $0.completion != .folder }
        return Dictionary(
            uniqueKeysWithValues: options.map { option in
                (
                    option.name,
                    [
                        "description": option.summary, "range": option.range,
                        "value": option.show(settings),
                    ]
                )
            })
    }
}

extension [String: Any] {
    /// Sets a member of objects in objects, which are created if missing.
    fileprivate mutating func set(_ path: String..., to value: Any) {
        set(path[...], to: value)
    }

    private mutating func set(_ path: ArraySlice<String>, to value: Any) {
        guard let name = path.first else { return }
        guard path.count > 1 else {
            self[name] = value
            return
        }
        var member = self[name] as? [String: Any] ?? [:]
        member.set(path.dropFirst(), to: value)
        self[name] = member
    }
}
