import Foundation

/// Dates of HTTP headers (RFC 9110, section 5.6.7), in the form that servers have to send:
/// `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Nil for another form.
    static func parse(_ text: String) -> Date? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == ":" }).map(String.init)
        guard words.count == 8, words[0].count == 4, words[0].hasSuffix(","), words[7] == "GMT",
            let day = Int(words[1]), let month = months.firstIndex(of: words[2]),
            let year = Int(words[3]), let hour = Int(words[4]), let minute = Int(words[5]),
            let second = Int(words[6]), 1...31 ~= day, 1970...9999 ~= year, 0...23 ~= hour,
            0...59 ~= minute, 0...60 ~= second
        else { return nil }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        return Date(
            timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
    }

    /// Days of the Gregorian calendar (Hinnant, "chrono-Compatible Low-Level Date Algorithms",
    /// `days_from_civil`), for years from 1970 on.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        // Years that begin in March, so that the leap day is the last.
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (year / 400, year % 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
