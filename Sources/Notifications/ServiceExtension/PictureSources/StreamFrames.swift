package import Foundation

/// The first whole JPEG of a camera's stream (`multipart/x-mixed-replace`, parts as in RFC 2046, 5.1).
///
/// A first part may be cut or empty, since cameras send what they have; it is passed over. Parts stay in
/// memory until they are whole.
package struct StreamFrames {
    /// A frame of 4K takes 1 to 2 MB.
    private static let longestFrame = 4 << 20
    private static let longestHead = 16 << 10

    /// Nil without a boundary, and if the system splits the stream.
    private var delimiter: Data?
    private var buffer = Data()
    /// True within a part, false before the delimiter of the next one.
    private var isInPart = false
    /// The length that the part's head announces.
    private var length: Int?
    /// Bytes of the part that were searched for the next delimiter.
    private var searched = 0

    /// Creates a reader; nil for a response that is not a stream.
    ///
    /// - Parameter contentType: The header field of the response.
    package init?(contentType: String) {
        let fields = contentType.split(separator: ";").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard fields.first?.lowercased() == "multipart/x-mixed-replace" else { return nil }
        let boundary = fields.dropFirst()
            .first { $0.lowercased().hasPrefix("boundary=") }?
            .dropFirst("boundary=".count)
            .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
        // Many cameras have the delimiter's own hyphens in the parameter too.
        let name = boundary.map { String($0.drop { $0 == "-" }) } ?? ""
        delimiter = name.isEmpty ? nil : Data("--\(name)".utf8)
    }

    /// Adds bytes of the stream, and returns the first whole frame in it.
    package mutating func add(_ bytes: Data) -> Data? {
        buffer += bytes
        guard let delimiter else {
            if buffer.count > Self.longestFrame { buffer = Data() }
            return nil
        }
        while true {
            guard isInPart || enterPart(after: delimiter) else { return nil }
            guard let part = takePart(before: delimiter) else { return nil }
            if let frame = Self.frame(in: part) { return frame }
        }
    }

    /// Begins a part that the system separates; returns the previous part's frame if it is whole.
    ///
    /// The bytes that follow have neither delimiters nor heads, whatever boundary the response announced.
    package mutating func beginPart() -> Data? {
        defer { delimiter = nil }
        return endPart()
    }

    /// Ends the last part of the stream; returns its frame if it is whole.
    package mutating func endPart() -> Data? {
        defer { (buffer, isInPart, length, searched) = (Data(), false, nil, 0) }
        guard isInPart || delimiter == nil else { return nil }
        return Self.frame(in: buffer)
    }

    /// Passes over a delimiter and the head after it; false until both have arrived.
    private mutating func enterPart(after delimiter: Data) -> Bool {
        guard let start = buffer.range(of: delimiter) else {
            buffer = Data(buffer.suffix(delimiter.count - 1))
            return false
        }
        let rest = buffer[start.upperBound...]
        guard let blank = rest.range(of: Data("\r\n\r\n".utf8)) ?? rest.range(of: Data("\n\n".utf8))
        else {
            if rest.count > Self.longestHead { buffer = Data() }
            return false
        }
        let head = String(decoding: rest[..<blank.lowerBound], as: UTF8.self).lowercased()
        length = head.split(whereSeparator: \.isNewline)
            .first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).filter { !$0.isWhitespace }) }
        buffer = Data(rest[blank.upperBound...])
        isInPart = true
        return true
    }

    /// Takes a part that has wholly arrived.
    private mutating func takePart(before delimiter: Data) -> Data? {
        var end: Int?
        if let length, 0...Self.longestFrame ~= length {
            end = buffer.count >= length ? length : nil
        } else {
            let start = max(0, searched - delimiter.count)
            end = buffer.range(of: delimiter, in: start..<buffer.count)?.lowerBound
            searched = buffer.count
        }
        guard let end else {
            // Longer parts are passed over.
            if buffer.count > Self.longestFrame {
                (buffer, isInPart, searched) = (Data(), false, 0)
            }
            return nil
        }
        let part = Data(buffer[..<end])
        (buffer, isInPart, length, searched) = (Data(buffer[end...]), false, nil, 0)
        return part
    }

    /// The JPEG at the start of a part, without bytes after its end; nil if it has none.
    private static func frame(in part: Data) -> Data? {
        var end = JPEGEnd()
        end.add(part)
        return end.length.map { Data(part.prefix($0)) }
    }
}
