import Foundation

/// The description of the service at `/openapi.json`.
enum OpenAPIDocument {
    /// The document; with `requiresToken`, anonymous requests are not an alternative in it.
    static func bytes(requiresToken: Bool) throws -> [UInt8] {
        let bytes = PackageResources.openapi_json
        guard requiresToken,
            var document = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        else { return bytes }
        document["security"] = [["bearer": [String]()]]
        return [UInt8](
            try JSONSerialization.data(
                withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes]))
    }
}
