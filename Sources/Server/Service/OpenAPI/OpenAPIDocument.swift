import Foundation
import ThimbleOptions

/// The description of the service at `/openapi.json`.
enum OpenAPIDocument {
    /// The document of this release; with `requiresToken`, anonymous requests are not an alternative in it.
    static func bytes(requiresToken: Bool) throws -> [UInt8] {
        let bytes = Data(PackageResources.openapi_json)
        guard var document = try JSONSerialization.jsonObject(with: bytes) as? [String: Any],
            var facts = document["info"] as? [String: Any]
        else { return [UInt8](bytes) }
        facts["version"] = Release.version
        document["info"] = facts
        if requiresToken { document["security"] = [["bearer": [String]()]] }
        return [UInt8](
            try JSONSerialization.data(
                withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes]))
    }
}
