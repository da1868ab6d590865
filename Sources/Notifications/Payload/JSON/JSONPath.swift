/// The path from a document's root to a value, such as `a.b[0].c`.
///
///     path  = first *( "." key / index )
///     first = key / index
///     key   = 1*( any character but . [ ] \ / "\." / "\[" / "\]" / "\\" )
///     index = "[" ( "0" / a digit from 1 to 9, up to eight digits ) "]"
///
/// A backslash escapes a dot within a key: `gcm\.message_id` is one key. Keys are compared byte for
/// byte. The last of duplicate keys counts, as in `JSONSerialization`. The grammar cannot express an
/// empty key, but a step can.
public struct JSONPath: Sendable, Hashable {
    /// A step of a path.
    public enum Step: Sendable, Hashable {
        /// A member of an object.
        case key(String)
        /// An element of an array, counted from 0.
        case index(Int)
    }

    /// The steps from the root; empty for the root itself.
    public let steps: [Step]

    /// Creates a path from its steps.
    public init(_ steps: [Step]) {
        self.steps = steps
    }

    /// Creates a path through objects.
    ///
    /// - Parameter keys: The keys from the root, not escaped.
    public init(keys: String...) {
        self.init(keys.map(Step.key))
    }

    /// Returns the path with another step.
    ///
    /// - Parameter step: The step to append.
    /// - Returns: The longer path.
    public func appending(_ step: Step) -> JSONPath { JSONPath(steps + [step]) }
}

extension JSONPath {
    /// Parses a path.
    ///
    /// - Parameter text: The path, such as `a.b[0].c`.
    /// - Throws: `PayloadError` with the code `invalidPath` and the offset in the text.
    public init(parsing text: String) throws(PayloadError) {
        let bytes = Array(text.utf8)
        var steps: [Step] = []
        var position = 0
        repeat {
            if position < bytes.count, bytes[position] == UInt8(ascii: "[") {
                steps.append(.index(try Self.index(in: bytes, at: &position)))
            } else {
                if !steps.isEmpty {
                    guard bytes[position] == UInt8(ascii: ".") else {
                        throw Self.fault("a dot or a bracket is required", at: position)
                    }
                    position += 1
                }
                steps.append(.key(try Self.key(in: bytes, at: &position)))
            }
        } while position < bytes.count
        self.init(steps)
    }

    private static func key(
        in bytes: [UInt8], at position: inout Int
    ) throws(PayloadError) -> String {
        var key: [UInt8] = []
        reading: while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "."), UInt8(ascii: "["): break reading
            case UInt8(ascii: "]"): throw fault("a closing bracket is not escaped", at: position)
            case UInt8(ascii: "\\"):
                guard position + 1 < bytes.count, special.contains(bytes[position + 1]) else {
                    throw fault("only dots, brackets and backslashes may be escaped", at: position)
                }
                position += 1
            default: break
            }
            key.append(bytes[position])
            position += 1
        }
        guard !key.isEmpty else { throw fault("a key is missing", at: position) }
        return String(decoding: key, as: UTF8.self)
    }

    private static func index(in bytes: [UInt8], at position: inout Int) throws(PayloadError) -> Int
    {
        let start = position + 1
        let digits = bytes[start...].prefix { $0.isDigit }
        // Eight digits exceed the number of elements that a document may have.
        guard (1...8).contains(digits.count), digits.count == 1 || digits.first != 0x30,
            digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: "]")
        else { throw fault("the brackets need a number", at: position) }
        position = digits.endIndex + 1
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    private static func fault(_ reason: String, at offset: Int) -> PayloadError {
        PayloadError(.invalidPath, at: offset, reason: reason)
    }

    fileprivate static let special = Array(#".[]\"#.utf8)
}

extension JSONPath: CustomStringConvertible {
    /// The path in the notation of the grammar.
    public var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let index): text += "[\(index)]"
            case .key(let key):
                if !text.isEmpty { text += "." }
                for scalar in key.unicodeScalars {
                    if scalar.isASCII, Self.special.contains(UInt8(ascii: scalar)) { text += "\\" }
                    text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }
}
