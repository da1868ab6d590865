import Foundation

/// Prints figures as rows of a Markdown table.
enum Figures {
    static func begin(_ title: String) { print("| \(title) | |\n|---|---:|") }

    static func row(_ name: String, _ value: String) { print("| \(name) | \(value) |") }

    static func row(_ name: String, _ value: Int) { row(name, grouped(value)) }

    /// With thousands separators.
    static func grouped(_ value: Int) -> String {
        var text = ""
        for (place, digit) in String(value.magnitude).reversed().enumerated() {
            if place > 0, place.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + String(text.reversed())
    }

    /// Seconds with one decimal.
    static func seconds(_ duration: Duration) -> String {
        String(format: "%.1f s", duration / .seconds(1))
    }
}
