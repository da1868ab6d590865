/// A JSON value that keeps the spelling of numbers and the order of members.
///
/// Equality compares number spellings and member order; strings compare as Swift strings.
public indirect enum JSONValue: Sendable, Hashable {
    /// The null value.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// A number with its spelling.
    case number(JSONNumber)
    /// A string, unescaped.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object in its order; keys may repeat.
    case object([JSONMember])
}

/// A member of an object.
public struct JSONMember: Sendable, Hashable {
    /// The key, unescaped.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Creates a member.
    public init(_ key: String, _ value: JSONValue) {
        self.key = key
        self.value = value
    }
}

extension JSONValue {
    /// The text of a string; nil for any other value.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number; nil for any other value.
    public var number: JSONNumber? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// The value of a flag, read as Apple reads flags: true for `true` or the number 1; nil for
    /// values other than numbers and Booleans.
    public var flag: Bool? {
        switch self {
        case .bool(let value): value
        case .number(let number): number.double == 1
        case .null, .string, .array, .object: nil
        }
    }

    /// The elements of an array; nil for any other value.
    public var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object; nil for any other value.
    public var members: [JSONMember]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The value of a member; nil if absent or if this value is not an object.
    ///
    /// The last of duplicate keys counts.
    ///
    /// - Parameter key: The key, compared byte for byte.
    public subscript(key: String) -> JSONValue? { members?.value(of: key) }
}

extension [JSONMember] {
    /// Returns the value of a member; the last of duplicate keys counts.
    ///
    /// - Parameter key: The key, compared byte for byte, without Unicode equivalence.
    /// - Returns: The value; nil if absent.
    public func value(of key: String) -> JSONValue? {
        last { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }
}

extension JSONValue: CustomStringConvertible {
    /// The kind of value, without the private contents.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool: "Boolean"
        case .number: "number"
        case .string: "string"
        case .array(let elements): "array of \(elements.count)"
        case .object(let members): "object of \(members.count)"
        }
    }
}

extension JSONMember: CustomStringConvertible {
    /// The kind of value, without the private key and contents.
    public var description: String { "member: \(value)" }
}
