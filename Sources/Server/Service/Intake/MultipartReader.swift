import Foundation

/// Parts of a `multipart/form-data` body (RFC 7578), from bytes split anywhere.
///
/// At most the delimiter and one part's head are buffered.
struct MultipartReader {
    enum Event: Equatable {
        /// A new part; nil for a part without a name.
        case part(name: String?, isFile: Bool)
        case bytes(ArraySlice<UInt8>)
        case end
    }

    enum Failure: Error { case malformed, headTooLong }

    private enum State { case preamble, delimiter, head, body, done }

    /// A part's head has a few short fields.
    private static let longestHead = 8192

    private static let lineBreak = Array("\r\n".utf8)
    private static let emptyLine = Array("\r\n\r\n".utf8)

    private let delimiter: [UInt8]
    private var state = State.preamble
    /// A line break before the first delimiter makes it like the others.
    private var buffer: [UInt8] = Array("\r\n".utf8)

    /// `boundary` is the content type's.
    init?(boundary: String) {
        // RFC 2046, section 5.1.1.
        guard 1...70 ~= boundary.utf8.count else { return nil }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// The boundary of a content type; nil for other types and without a valid one.
    static func boundary(of contentType: String) -> String? {
        let parameters = contentType.split(separator: ";").map { $0.trimming(" \t") }
        guard parameters.first?.lowercased() == "multipart/form-data" else { return nil }
        for parameter in parameters.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].lowercased() == "boundary" else { continue }
            return String(pair[1]).trimming("\"")
        }
        return nil
    }

    var isComplete: Bool { state == .done }

    mutating func append(_ bytes: some Sequence<UInt8>) throws(Failure) -> [Event] {
        guard state != .done else { return [] }
        buffer += bytes
        var events: [Event] = []
        while try step(&events) {}
        return events
    }

    /// Consumes one element of the buffer; false if it needs more bytes.
    private mutating func step(_ events: inout [Event]) throws(Failure) -> Bool {
        switch state {
        case .done: return false
        case .preamble, .body:
            guard let place = buffer.place(of: delimiter) else {
                // The end may be the beginning of a delimiter.
                let safe = buffer.count - min(buffer.count, delimiter.count - 1)
                if state == .body, safe > 0 { events.append(.bytes(buffer[..<safe])) }
                buffer.removeFirst(safe)
                return false
            }
            if state == .body, place.lowerBound > 0 {
                events.append(.bytes(buffer[..<place.lowerBound]))
            }
            buffer.removeFirst(place.upperBound)
            state = .delimiter
        case .delimiter:
            guard buffer.count >= 2 else { return false }
            if buffer.starts(with: "--".utf8) {
                state = .done
                events.append(.end)
                return false
            }
            // White space may follow a delimiter.
            guard let end = buffer.place(of: Self.lineBreak) else {
                guard buffer.count < Self.longestHead else { throw .malformed }
                return false
            }
            guard buffer[..<end.lowerBound].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) else {
                throw .malformed
            }
            // The line break stays, so that a head without fields ends like the others.
            buffer.removeFirst(end.lowerBound)
            state = .head
        case .head:
            guard let end = buffer.place(of: Self.emptyLine) else {
                guard buffer.count < Self.longestHead else { throw .headTooLong }
                return false
            }
            events.append(Self.part(String(decoding: buffer[..<end.lowerBound], as: UTF8.self)))
            buffer.removeFirst(end.upperBound)
            state = .body
        }
        return true
    }

    private static func part(_ head: String) -> Event {
        for line in head.split(separator: "\r\n") {
            let pair = line.split(separator: ":", maxSplits: 1)
            guard pair.count == 2, pair[0].lowercased() == "content-disposition" else { continue }
            var name: String?
            var isFile = false
            for parameter in pair[1].split(separator: ";") {
                let pair = parameter.split(separator: "=", maxSplits: 1)
                guard pair.count == 2 else { continue }
                switch pair[0].trimming(" \t").lowercased() {
                case "name": name = String(pair[1]).trimming("\" \t")
                case "filename", "filename*": isFile = true
                default: break
                }
            }
            return .part(name: name, isFile: isFile)
        }
        return .part(name: nil, isFile: false)
    }
}

extension [UInt8] {
    /// The first occurrence of bytes, which begin with a carriage return.
    fileprivate func place(of bytes: [UInt8]) -> Range<Int>? {
        withUnsafeBytes { all in
            guard let base = all.baseAddress else { return nil }
            var start = 0
            while start + bytes.count <= all.count {
                let rest = all.count - start - bytes.count + 1
                guard let found = memchr(base + start, CInt(bytes[0]), rest) else { return nil }
                start = UnsafeRawPointer(found) - base
                if memcmp(found, bytes, bytes.count) == 0 { return start..<start + bytes.count }
                start += 1
            }
            return nil
        }
    }
}

extension StringProtocol {
    func trimming(_ characters: String) -> String {
        var rest = self[...]
        while let first = rest.first, characters.contains(first) { rest.removeFirst() }
        while let last = rest.last, characters.contains(last) { rest.removeLast() }
        return String(rest)
    }
}
