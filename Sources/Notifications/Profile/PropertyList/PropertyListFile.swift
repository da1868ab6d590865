package import Foundation

/// The root dictionary of a property list, in XML or binary, or of a JSON file.
package struct PropertyListFile: Sendable {
    package let path: String
    package let root: [String: PropertyValue]

    /// The size limit, in bytes; Info.plists and entitlements are far smaller.
    package static let ceiling = 1 << 20

    /// Reads a file; `allowsJSON` accepts JSON if it begins with a brace, which the system does not.
    package init(path: String, allowsJSON: Bool = false) throws(ProfileError) {
        let contents = try BoundedFile.contents(of: path, ceiling: Self.ceiling)
        try self.init(contents, path: path, allowsJSON: allowsJSON)
    }

    package init(_ data: Data, path: String, allowsJSON: Bool = false) throws(ProfileError) {
        guard data.count <= Self.ceiling else {
            throw ProfileError(
                .tooLarge, file: path, reason: "it is longer than \(Self.ceiling) bytes")
        }
        self.path = path
        guard case .dictionary(let root) = try Self.value(data, path, allowsJSON) else {
            throw ProfileError(.malformed, file: path, reason: "its root is not a dictionary")
        }
        self.root = root
    }

    /// Creates a list from a dictionary of another file.
    package init(root: [String: PropertyValue], path: String) {
        self.root = root
        self.path = path
    }

    private static func value(
        _ data: Data, _ path: String, _ allowsJSON: Bool
    ) throws(ProfileError) -> PropertyValue {
        if data.starts(with: Data("bplist0".utf8)) {
            return try propertyList(data, path)
        }
        guard let text = String(utf8: data) else {
            throw ProfileError(
                .malformed, file: path,
                reason: "it is neither a binary property list nor text in UTF-8")
        }
        let markup = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if allowsJSON, markup.hasPrefix("{") {
            let decoder = JSONDecoder()
            decoder.userInfo = userInfo
            return try decoding(path) {
                try decoder.decode(PropertyValue.self, from: Data(markup.utf8))
            }
        }
        // The decoder would also accept the obsolete NeXTSTEP format.
        guard markup.hasPrefix("<") else {
            throw ProfileError(.malformed, file: path, reason: "it is not a property list")
        }
        guard MarkupNesting.isBounded(markup.utf8, by: PropertyValue.depthLimit) else {
            throw ProfileError(
                .tooComplex, file: path,
                reason: "its values nest more than \(PropertyValue.depthLimit) levels deep")
        }
        return try propertyList(Data(MarkupNesting.withoutDeclaration(markup).utf8), path)
    }

    private static func propertyList(
        _ data: Data, _ path: String
    ) throws(ProfileError) -> PropertyValue {
        let decoder = PropertyListDecoder()
        decoder.userInfo = userInfo
        return try decoding(path) { try decoder.decode(PropertyValue.self, from: data) }
    }

    private static var userInfo: [CodingUserInfoKey: any Sendable] {
        guard let key = PropertyValue.count else { return [:] }
        return [key: PropertyValue.Count()]
    }

    private static func decoding(
        _ path: String, _ decode: () throws -> PropertyValue
    ) throws(ProfileError) -> PropertyValue {
        do {
            return try decode()
        } catch {
            if let limit = error as? PropertyValue.LimitError {
                throw ProfileError(.tooComplex, file: path, reason: limit.reason)
            }
            throw ProfileError(
                .malformed, file: path, reason: "it violates its format", detail: detail(of: error))
        }
    }

    private static func detail(of error: any Error) -> String {
        guard case .dataCorrupted(let context) = error as? DecodingError,
            let cause = context.underlyingError as? CocoaError
        else { return "" }
        return cause.userInfo["NSDebugDescription"] as? String ?? ""
    }
}

extension PropertyListFile {
    /// The value at a key path, of any type; nil if absent.
    package func value(at path: [String]) -> PropertyValue? {
        path.reduce(.dictionary(root)) { value, key in
            guard case .dictionary(let values) = value else { return nil }
            return values[key]
        }
    }

    /// The value at a key path; nil if absent.
    ///
    /// Booleans and numbers do not convert to each other.
    package func value<Value>(_ path: [String], as type: Value.Type) throws(ProfileError) -> Value?
    {
        var value = PropertyValue.dictionary(root)
        for (depth, key) in path.enumerated() {
            guard case .dictionary(let values) = value else {
                throw wrongType(path.prefix(depth), value, "a dictionary")
            }
            guard let inner = values[key] else { return nil }
            value = inner
        }
        guard let result = value.unwrapped(as: type) else {
            throw wrongType(path[...], value, PropertyValue.name(of: type))
        }
        return result
    }

    package func fault(
        _ code: ProfileError.Code, in key: DeclarationKey, _ reason: String
    ) -> ProfileError {
        ProfileError(code, file: path, key: key.path, reason: reason)
    }

    private func wrongType(
        _ keys: ArraySlice<String>, _ value: PropertyValue, _ expected: String
    ) -> ProfileError {
        ProfileError(
            .wrongType, file: path, key: keys.joined(separator: "."),
            reason: "it is \(value.typeName), but must be \(expected)")
    }
}

extension PropertyValue {
    fileprivate func unwrapped<Value>(as type: Value.Type) -> Value? {
        switch self {
        case .boolean(let value): value as? Value
        case .integer(let value): type == Double.self ? Double(value) as? Value : value as? Value
        case .real(let value): value as? Value
        case .string(let value): value as? Value
        case .array(let value): value as? Value
        case .dictionary(let value): value as? Value
        case .other: nil
        }
    }

    fileprivate static func name<Value>(of type: Value.Type) -> String {
        switch type {
        case is Bool.Type: "a Boolean"
        case is Int.Type: "a whole number"
        case is Double.Type: "a number"
        case is String.Type: "a string"
        case is [PropertyValue].Type: "an array"
        default: "a dictionary"
        }
    }
}
