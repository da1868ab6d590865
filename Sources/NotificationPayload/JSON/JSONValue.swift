/// A value of JSON, with the spelling of numbers and the order of members kept.
///
/// Values are equal when they are written alike, but for texts, which are equal as Swift's are.
public indirect enum JSONValue: Sendable, Hashable {
    /// Nothing.
    case null
    /// True or false.
    case bool(Bool)
    /// A number, as it is spelled.
    case number(JSONNumber)
    /// A text, without escapes.
    case string(String)
    /// Values in order.
    case array([JSONValue])
    /// Members in order; keys may come more than once.
    case object([JSONMember])
}

/// A key of an object and its value.
public struct JSONMember: Sendable, Hashable {
    /// The key, without escapes.
    public var key: String
    /// The value.
    public var value: JSONValue

    /// Makes a member.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - value: The value.
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

    /// The number of a number; nil for any other value.
    public var number: JSONNumber? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// Whether it says yes as Apple's flags do: `true` or the number one; nil for anything but a
    /// number or a truth value.
    public var flag: Bool? {
        switch self {
        case .bool(let value): value
        case .number(let number): number.double == 1
        case .null, .string, .array, .object: nil
        }
    }

    /// The values of an array; nil for any other value.
    public var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object; nil for any other value.
    public var members: [JSONMember]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// The value of a member, the last where its key comes more than once; nil when there is none,
    /// or when this is no object.
    ///
    /// - Parameter key: The key, compared byte for byte.
    public subscript(key: String) -> JSONValue? { members?.value(of: key) }
}

extension [JSONMember] {
    /// The value of a member, the last where its key comes more than once.
    ///
    /// - Parameter key: The key, compared byte for byte: texts that only look the same are not.
    /// - Returns: The value; nil when there is none.
    public func value(of key: String) -> JSONValue? {
        last { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }
}

extension JSONValue: CustomStringConvertible {
    /// What kind of value it is, without the value, which is private.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool: "truth value"
        case .number: "number"
        case .string: "string"
        case .array(let elements): "array of \(elements.count)"
        case .object(let members): "object of \(members.count)"
        }
    }
}

extension JSONMember: CustomStringConvertible {
    /// What kind of value it has, without key and value, which are private.
    public var description: String { "member: \(value)" }
}
