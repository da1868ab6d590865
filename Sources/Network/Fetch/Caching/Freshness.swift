import Foundation

/// Freshness of a response (RFC 9111, section 4.2).
struct Freshness: Sendable, Hashable, Codable {
    /// Lifetime from the response's generation, in seconds; 0 for none.
    var lifetime: Double
    /// Age on arrival, in seconds.
    var initialAge: Double
    /// Arrival.
    var received: Date

    /// Limit on a lifetime that is estimated from the time of the last change: an hour.
    private static let longestEstimate = 3600.0

    /// Determines the freshness of a response.
    ///
    /// - Parameters:
    ///   - headers: The response's headers, by their names in lowercase.
    ///   - received: Its arrival.
    ///   - delay: Time from the request to the arrival, in seconds.
    ///   - unstated: Lifetime if the response allows no estimate, in seconds.
    init(_ headers: [String: String], received: Date, delay: Double, unstated: Double) {
        let control = CacheControl(headers["cache-control"])
        let date = headers["date"].flatMap { HTTPDate.parse($0) }
        if control.forbidsReuse || control.forbidsStoring || headers["vary"] == "*" {
            lifetime = 0
        } else if let maximumAge = control.maximumAge {
            lifetime = maximumAge
        } else if let expires = headers["expires"] {
            // An invalid date, such as 0, is in the past.
            let end = HTTPDate.parse(expires) ?? .distantPast
            lifetime = end.timeIntervalSince(date ?? received)
        } else if let date, let changed = headers["last-modified"].flatMap({ HTTPDate.parse($0) }) {
            // A tenth of the time since the last change (section 4.2.2).
            lifetime = min(date.timeIntervalSince(changed) / 10, Self.longestEstimate)
        } else {
            lifetime = unstated
        }
        lifetime = min(max(0, lifetime), CacheControl.longestAge)
        let stated = headers["age"].flatMap { Double($0) } ?? 0
        let apparent = date.map { received.timeIntervalSince($0) } ?? 0
        initialAge = min(max(0, apparent, stated + delay), CacheControl.longestAge)
        self.received = received
    }

    /// True if the response may be used without asking the server; false before its arrival, after
    /// the clock was set back.
    func isFresh(at now: Date) -> Bool {
        let resident = now.timeIntervalSince(received)
        return resident >= 0 && initialAge + resident < lifetime
    }
}
