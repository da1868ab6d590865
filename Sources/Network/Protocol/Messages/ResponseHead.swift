/// Status and needed headers of a response.
package struct ResponseHead {
    /// Limit on the length of all header lines, interim responses included.
    private static let ceiling = 64 << 10
    /// Limit on a reported value; longer ones are left out.
    private static let valueCeiling = 4096

    package private(set) var status = 0
    package private(set) var reported: [String: String] = [:]
    package private(set) var encoding: String?
    package private(set) var announcedBytes: Int?
    package private(set) var isComplete = false
    private var bytes = 0

    package init() {}

    /// Adds a line; false if all lines together are too long.
    package mutating func add(_ line: UnsafeRawBufferPointer, reporting names: [String]) -> Bool {
        bytes += line.count
        guard bytes <= Self.ceiling else { return false }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            begin(text)
            return true
        }
        guard let colon = text.firstIndex(of: ":") else {
            // The empty line, unless it ends an interim response (RFC 9110, section 15.2).
            isComplete = status >= 200
            return true
        }
        let name = text[..<colon].lowercased()
        let value = String(text[text.index(after: colon)...].trimmingSpace)
        switch name {
        case "content-encoding": encoding = value.lowercased()
        case "content-length": announcedBytes = Int(value)
        default: break
        }
        if names.contains(name) { report(name, value) }
        return true
    }

    private mutating func begin(_ line: String) {
        let ceiling = bytes
        self = ResponseHead()
        bytes = ceiling
        let words = line.split(separator: " ", maxSplits: 2)
        status = words.count > 1 ? Int(words[1].trimmingSpace) ?? 0 : 0
    }

    private mutating func report(_ name: String, _ value: String) {
        guard value.utf8.count <= Self.valueCeiling else { return }
        guard let former = reported[name] else {
            reported[name] = value
            return
        }
        // Lists may be spread over several lines (RFC 9110, section 5.3).
        let joined = "\(former), \(value)"
        if joined.utf8.count <= Self.valueCeiling, name != "location" { reported[name] = joined }
    }
}

extension StringProtocol {
    fileprivate var trimmingSpace: Substring {
        let space: Set<Character> = [" ", "\t", "\r", "\n", "\r\n"]
        let start = Substring(self).drop { space.contains($0) }
        guard let last = start.lastIndex(where: { !space.contains($0) }) else { return "" }
        return start[...last]
    }
}
