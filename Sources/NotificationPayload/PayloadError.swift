/// Why a payload, or a path into one, was refused, with the place, the reason and the remedy.
///
/// What stands in a payload is private, so no error quotes it: a place is a byte offset and, in a
/// stream, a line.
public struct PayloadError: Error, Sendable, Hashable, Codable {
    /// What kind of failure it is, stable across releases.
    public let code: Code
    /// Where the fault lies, in bytes from the start of the document or of the path; nil when it
    /// lies nowhere in particular.
    public let offset: Int?
    /// The line of the stream that the fault lies in, counted from 1; nil outside a stream.
    public let line: Int?
    /// What was found, in a sentence without its full stop.
    public let reason: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it is.
    ///   - offset: Where the fault lies, in bytes. The default is nowhere in particular.
    ///   - line: The line of the stream, counted from 1. The default is none.
    ///   - reason: What was found, in a sentence without its full stop.
    public init(_ code: Code, at offset: Int? = nil, line: Int? = nil, reason: String) {
        self.code = code
        self.offset = offset
        self.line = line
        self.reason = reason
    }

    /// The same error, told of a line of a stream.
    ///
    /// - Parameter line: The line, counted from 1.
    /// - Returns: The error with its line.
    func inLine(_ line: Int) -> PayloadError {
        PayloadError(code, at: offset, line: line, reason: reason)
    }
}

extension PayloadError {
    /// The kinds of failure.
    ///
    /// The raw values appear in JSON reports.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// There is nothing but white space.
        case empty
        /// The document has more bytes than the limit.
        case tooLarge = "too-large"
        /// Arrays and objects lie deeper in one another than the limit.
        case tooDeep = "too-deep"
        /// There are more values than the limit.
        case tooMany = "too-many"
        /// The document begins with a byte order mark.
        case byteOrderMark = "byte-order-mark"
        /// The bytes are not UTF-8.
        case invalidUTF8 = "invalid-utf8"
        /// A text names half of a surrogate pair.
        case loneSurrogate = "lone-surrogate"
        /// There is a byte of value zero.
        case nul
        /// A text holds a control character that must be escaped.
        case controlCharacter = "control-character"
        /// A backslash is followed by what JSON does not know.
        case invalidEscape = "invalid-escape"
        /// A number breaks the grammar of JSON.
        case invalidNumber = "invalid-number"
        /// The document ends before it is complete.
        case truncated
        /// A byte stands where JSON allows another.
        case unexpectedByte = "unexpected-byte"
        /// Something follows the document.
        case trailingBytes = "trailing-bytes"
        /// It is JSON, but not of the shape that is asked for.
        case wrongShape = "wrong-shape"
        /// A path breaks its grammar.
        case invalidPath = "invalid-path"
        /// The document has no value at the path.
        case noValue = "no-value"
    }
}

extension PayloadError.Code {
    /// What the caller can do about it, in a sentence without its full stop.
    public var remedy: String {
        switch self {
        case .empty: "send one JSON document, or one a line"
        case .tooLarge: "send a smaller payload: APNs takes 4096 bytes"
        case .tooDeep, .tooMany: "send a simpler payload: APNs takes 4096 bytes"
        case .byteOrderMark: "leave the byte order mark out"
        case .invalidUTF8, .nul: "write the payload as UTF-8"
        case .loneSurrogate:
            "escape both halves of the surrogate pair, or write the character itself"
        case .controlCharacter: "escape control characters inside texts"
        case .invalidEscape:
            #"escape with \" \\ \/ \b \f \n \r \t or \u and four hexadecimal digits"#
        case .invalidNumber: "write the number as JSON does, for example 0.5 or -1e3"
        case .truncated: "send the whole payload"
        case .unexpectedByte, .trailingBytes: "check the payload with a JSON validator"
        case .wrongShape: "send an object, with an object as its aps"
        case .invalidPath: #"write the path as in a.b[0].c, with \ before a dot inside a key"#
        case .noValue: "check the path against the payload"
        }
    }
}

extension PayloadError: CustomStringConvertible {
    /// Place, reason and remedy, in one line for a person.
    public var description: String {
        let place = [line.map { "line \($0)" }, offset.map { "byte \($0)" }]
            .compactMap(\.self).joined(separator: ", ")
        return (place.isEmpty ? "" : "\(place): ") + "\(reason); \(code.remedy)"
    }

    /// The same with the code, for a log.
    public var detailedDescription: String { "[\(code.rawValue)] \(description)" }
}
