/// Spelling of the Prometheus text format, version 0.0.4 (Prometheus, "Exposition formats").
enum PrometheusText {
    static func sample(_ name: String, _ labels: String, _ value: Double) -> String {
        labels.isEmpty ? "\(name) \(number(value))" : "\(name){\(labels)} \(number(value))"
    }

    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { "\(name($0.0))=\"\(escaped($0.1))\"" }.joined(separator: ",")
    }

    /// The name with every character that the format does not allow replaced by `_`.
    static func name(_ text: String) -> String {
        let name = String(
            text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
        return name.first?.isNumber ?? true ? "_" + name : name
    }

    static func help(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    }

    static func number(_ value: Double) -> String {
        if value == .infinity { return "+Inf" }
        // Doubles represent integers up to 2⁵³ exactly.
        return value == value.rounded() && abs(value) < 0x1p53 ? "\(Int(value))" : "\(value)"
    }

    private static func escaped(_ text: String) -> String {
        help(text).replacing("\"", with: "\\\"")
    }
}
