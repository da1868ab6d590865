/// Directives of a response's `Cache-Control` header (RFC 9111, section 5.2.2) that a private cache
/// obeys.
///
/// `must-revalidate` needs none: a stale file is never used.
struct CacheControl: Sendable, Hashable {
    private(set) var forbidsStoring = false
    private(set) var forbidsReuse = false
    /// Freshness lifetime, in seconds.
    private(set) var maximumAge: Double?

    /// The longest lifetime that is believed, in seconds: a year.
    static let longestAge = 31_536_000.0

    /// An invalid lifetime counts as zero.
    init(_ header: String?) {
        for directive in Self.directives(header ?? "") {
            let parts = directive.split(separator: "=", maxSplits: 1)
            switch parts.first?.filter({ $0 != " " }).lowercased() {
            case "no-store": forbidsStoring = true
            // With field names it concerns only those; reusing nothing is the simpler rule.
            case "no-cache": forbidsReuse = true
            case "max-age":
                let digits = parts.count == 2 ? parts[1].filter { $0 != "\"" && $0 != " " } : ""
                let age = Double(digits).map { min(max(0, $0), Self.longestAge) }
                // The shortest of several.
                maximumAge = min(maximumAge ?? .infinity, age ?? 0)
            default: break
            }
        }
    }

    /// The parts between commas outside quotation marks.
    private static func directives(_ header: String) -> [String] {
        var parts = [""]
        var isQuoted = false
        for character in header {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}
