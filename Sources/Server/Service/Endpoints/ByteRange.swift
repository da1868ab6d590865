/// The part of a file that a `Range` field asks for (RFC 9110, section 14.2).
enum ByteRange: Equatable {
    /// The whole file: no field, another unit, several ranges, or a malformed field.
    case whole
    case part(Range<Int>)
    /// Beyond the end of the file.
    case unsatisfiable

    init(_ field: String?, length: Int) {
        guard let field, field.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let bounds = field.dropFirst(6).split(
            separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else {
            self = .whole
            return
        }
        let (first, last) = (Self.number(bounds[0]), Self.number(bounds[1]))
        switch (first, last) {
        case (let first?, let last?):
            guard first <= last else {
                self = .whole
                return
            }
            self = first < length ? .part(first..<min(last, length - 1) + 1) : .unsatisfiable
        case (let first?, nil) where bounds[1].isEmpty:
            self = first < length ? .part(first..<length) : .unsatisfiable
        case (nil, let suffix?) where bounds[0].isEmpty:
            self =
                suffix > 0 && length > 0
                ? .part(max(0, length - suffix)..<length) : .unsatisfiable
        default: self = .whole
        }
    }

    /// Digits only, at most the largest file size.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.count <= 18,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text)
    }
}
