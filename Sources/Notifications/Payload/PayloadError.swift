public import ThimbleBasics

/// A rejected payload or path, with the location, the reason and the remedy.
///
/// Payloads are private, so errors do not quote them. The location is a byte offset and, in a
/// stream, a line.
public struct PayloadError: FaultConvertible, Sendable, Hashable, Codable {
    /// The kind of failure, stable across releases.
    public let code: Code
    /// The offset of the fault in the document or path, in bytes; nil without a single location.
    public let offset: Int?
    /// The line of the fault in a stream, counted from 1; nil outside a stream.
    public let line: Int?
    /// The finding, without a full stop.
    public let reason: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - offset: The offset of the fault, in bytes. The default is nil.
    ///   - line: The line in the stream, counted from 1. The default is nil.
    ///   - reason: The finding, without a full stop.
    public init(_ code: Code, at offset: Int? = nil, line: Int? = nil, reason: String) {
        self.code = code
        self.offset = offset
        self.line = line
        self.reason = reason
    }

    func inLine(_ line: Int) -> PayloadError {
        PayloadError(code, at: offset, line: line, reason: reason)
    }
}

extension PayloadError {
    /// The kinds of failure.
    ///
    /// The raw values appear in JSON reports.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The input has only white space.
        case empty
        /// The document exceeds the byte limit.
        case tooLarge = "too-large"
        /// Arrays and objects exceed the depth limit.
        case tooDeep = "too-deep"
        /// The values exceed their limit in number.
        case tooMany = "too-many"
        /// The document begins with a byte order mark.
        case byteOrderMark = "byte-order-mark"
        /// The bytes are not UTF-8.
        case invalidUTF8 = "invalid-utf8"
        /// A string has half of a surrogate pair.
        case loneSurrogate = "lone-surrogate"
        /// The document has a NUL byte.
        case nul
        /// A string has an unescaped control character.
        case controlCharacter = "control-character"
        /// A backslash starts an invalid escape.
        case invalidEscape = "invalid-escape"
        /// A number violates the JSON grammar.
        case invalidNumber = "invalid-number"
        /// The document ends before it is complete.
        case truncated
        /// A byte is not allowed at its position.
        case unexpectedByte = "unexpected-byte"
        /// Further bytes follow the document.
        case trailingBytes = "trailing-bytes"
        /// The JSON has an unexpected shape.
        case wrongShape = "wrong-shape"
        /// A path violates its grammar.
        case invalidPath = "invalid-path"
        /// The document has no value at the path.
        case noValue = "no-value"
    }
}

extension PayloadError.Code: FaultCode {
    package static let domain = Fault.Domain.payload

    /// The action to take, without a full stop.
    public var remedy: String {
        switch self {
        case .empty: "send one JSON document, or one per line"
        case .tooLarge: "send a smaller payload: APNs accepts 4096 bytes"
        case .tooDeep, .tooMany: "send a simpler payload: APNs accepts 4096 bytes"
        case .byteOrderMark: "omit the byte order mark"
        case .invalidUTF8, .nul: "write the payload as UTF-8"
        case .loneSurrogate:
            "escape both halves of the surrogate pair, or write the character itself"
        case .controlCharacter: "escape control characters in strings"
        case .invalidEscape:
            #"escape with \" \\ \/ \b \f \n \r \t or \u and four hexadecimal digits"#
        case .invalidNumber: "write the number in JSON's format, for example 0.5 or -1e3"
        case .truncated: "send the whole payload"
        case .unexpectedByte, .trailingBytes: "check the payload with a JSON validator"
        case .wrongShape: "send an object with an object as its aps, or an array of such objects"
        case .invalidPath: #"write the path as in a.b[0].c, with \ before a dot inside a key"#
        case .noValue: "check the path against the payload"
        }
    }
}

extension PayloadError {
    /// The failure with its offset, without its line.
    public var fault: Fault {
        code.fault(reason: reason + (offset.map { ", at byte \($0)" } ?? ""))
    }

    /// Location, reason and remedy, in one line.
    public var description: String {
        let place = [line.map { "line \($0)" }, offset.map { "byte \($0)" }]
            .compactMap(\.self).joined(separator: ", ")
        return (place.isEmpty ? "" : "\(place): ") + "\(reason); \(code.remedy)"
    }

    /// The description with the code, for logs.
    public var detailedDescription: String { "[\(code.rawValue)] \(description)" }
}
