/// The text of a file with placeholders, such as `__CATEGORY__`.
///
/// The templates are complete files, so that those in Swift are type-checked as they are.
struct ProjectTemplate {
    private let text: [UInt8]

    init(_ text: [UInt8]) { self.text = text }

    /// The text with all placeholders replaced, in one pass: values are not searched again.
    ///
    /// Of two placeholders at one place, the longer one is replaced.
    func filled(with values: [String: String]) -> [UInt8] {
        let values = values.map { (key: Array($0.key.utf8), value: Array($0.value.utf8)) }
            .sorted { $0.key.count > $1.key.count }
        var filled: [UInt8] = []
        var rest = text[...]
        while let byte = rest.first {
            if let match = values.first(where: { rest.starts(with: $0.key) }) {
                filled += match.value
                rest = rest.dropFirst(match.key.count)
            } else {
                filled.append(byte)
                rest = rest.dropFirst()
            }
        }
        return filled
    }
}
