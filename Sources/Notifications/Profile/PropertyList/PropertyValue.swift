import AttachmentContainer
import Foundation

/// A value of a property list or of JSON, limited in depth and number.
package enum PropertyValue: Sendable, Hashable {
    case boolean(Bool)
    case integer(Int)
    case real(Double)
    case string(String)
    case array([PropertyValue])
    case dictionary([String: PropertyValue])
    /// A date, data, null, or a number out of range.
    case other

    /// The name of the value's type in property lists.
    package var typeName: String {
        switch self {
        case .boolean: "a Boolean"
        case .integer, .real: "a number"
        case .string: "a string"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .other: "a value of another type"
        }
    }

    /// Maximum nesting; an Info.plist needs 6 levels.
    static let depthLimit = 32

    /// Maximum number of values in a file; an Info.plist with 500 advertising networks has 1,100.
    static let countLimit = 10_000

    struct LimitError: Error {
        let reason: String
    }

    /// Number of values read from a file.
    ///
    /// In a binary property list a few bytes can represent billions of values, since arrays may share
    /// elements.
    final class Count: Sendable {
        private let count = Lock(0)

        func increase() throws(LimitError) {
            let total = count.withLock { count in
                count += 1
                return count
            }
            guard total <= countLimit else {
                throw LimitError(reason: "it has more than \(countLimit) values")
            }
        }
    }
}

extension PropertyValue: Decodable {
    /// The key of a decoder's `Count` in its user info.
    static let count = CodingUserInfoKey(rawValue: "thimble.count")

    package init(from decoder: any Decoder) throws {
        if let key = Self.count, let count = decoder.userInfo[key] as? Count {
            try count.increase()
        }
        guard decoder.codingPath.count < Self.depthLimit else {
            throw LimitError(reason: "its values nest more than \(Self.depthLimit) levels deep")
        }
        if let fields = try? decoder.container(keyedBy: Key.self) {
            var values: [String: PropertyValue] = [:]
            for key in fields.allKeys {
                values[key.stringValue] = try fields.decode(PropertyValue.self, forKey: key)
            }
            self = .dictionary(values)
        } else if var elements = try? decoder.unkeyedContainer() {
            var values: [PropertyValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(PropertyValue.self)) }
            self = .array(values)
        } else {
            self.init(from: try decoder.singleValueContainer())
        }
    }

    private init(from scalar: any SingleValueDecodingContainer) {
        self =
            if let value = try? scalar.decode(Bool.self) {
                .boolean(value)
            } else if let value = try? scalar.decode(Int.self) {
                .integer(value)
            } else if let value = try? scalar.decode(Double.self) {
                .real(value)
            } else if let value = try? scalar.decode(String.self) {
                .string(value)
            } else {
                .other
            }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
