import Foundation

/// Figures as the rows of a Markdown table, printed as they come.
enum Figures {
    /// Prints the head of a table.
    static func begin(_ title: String) { print("| \(title) | |\n|---|---:|") }

    /// Prints a row.
    static func row(_ name: String, _ value: String) { print("| \(name) | \(value) |") }

    /// Prints a row with a number.
    static func row(_ name: String, _ value: Int) { row(name, grouped(value)) }

    /// A number with commas between its thousands.
    static func grouped(_ value: Int) -> String {
        var text = ""
        for (place, digit) in String(value.magnitude).reversed().enumerated() {
            if place > 0, place.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + String(text.reversed())
    }

    /// Seconds with one digit after the point.
    static func seconds(_ duration: Duration) -> String {
        String(format: "%.1f s", duration / .seconds(1))
    }
}
