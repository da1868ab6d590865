/// A key of a payload style with a value that names no attachment.
public struct MediaMismatch: Sendable, Hashable {
    /// The path of the key.
    public let path: JSONPath
    /// The type of the value, with its article, such as `a number`.
    public let found: String
}

extension APNsPayload {
    /// Returns the first key of a style whose value has a type that names no attachment.
    ///
    /// Null, empty text, empty arrays and empty objects state that there is no attachment.
    ///
    /// - Parameter style: The keys to search. The default is all styles.
    /// - Returns: The key and the type of its value; nil if all values are absent or empty.
    public func mediaMismatch(_ style: PayloadStyle = .auto) -> MediaMismatch? {
        for key in style.mediaKeys {
            guard let found = document.value(at: key.path)?.unexpectedType else { continue }
            return MediaMismatch(path: key.path, found: found)
        }
        return nil
    }
}

extension JSONValue {
    /// The type with its article; nil for null, text, and empty arrays and objects.
    fileprivate var unexpectedType: String? {
        switch self {
        case .null: nil
        case .string: nil
        case .bool: "a Boolean"
        case .number: "a number"
        case .array(let elements): elements.isEmpty ? nil : "an array without locations"
        case .object(let members): members.isEmpty ? nil : "an object without locations"
        }
    }
}
