/// Length and distance coding of back-references (RFC 9649, section 3.6.2.2).
enum BackReference {
    static let firstLength = 256
    static let firstCached = firstLength + 24
    static let neighbourCount = 120
    static let maxDistance = PixelRing.maxPixels - neighbourCount

    /// Number for a prefix of 0 to 39, at least 1; up to 18 extra bits must be loaded.
    @inline(__always)
    static func number(_ prefix: Int, _ cursor: inout BitCursor) -> Int {
        guard prefix >= 4 else { return prefix &+ 1 }
        let length = (prefix &- 2) &>> 1
        return (2 &+ prefix & 1) &<< length &+ cursor.take(length) &+ 1
    }

    /// Converts a distance code to a distance in pixels; both are at least 1.
    @inline(__always)
    static func distance(_ code: Int, width: Int) -> Int {
        guard code <= neighbourCount else { return code &- neighbourCount }
        let neighbour = neighbours[code &- 1]
        return max(1, Int(neighbour.above) &* width &+ Int(neighbour.before))
    }

    /// Rows above and pixels before the current pixel, nearest first (table in section 3.6.2.2).
    private static let neighbours: [(above: Int8, before: Int8)] = [
        (1, 0), (0, 1), (1, 1), (1, -1), (2, 0), (0, 2), (2, 1), (2, -1), (1, 2), (1, -2), (2, 2),
        (2, -2), (3, 0), (0, 3), (3, 1), (3, -1), (1, 3), (1, -3), (3, 2), (3, -2), (2, 3), (2, -3),
        (4, 0), (0, 4), (4, 1), (4, -1), (1, 4), (1, -4), (3, 3), (3, -3), (4, 2), (4, -2), (2, 4),
        (2, -4), (5, 0), (4, 3), (4, -3), (3, 4), (3, -4), (0, 5), (5, 1), (5, -1), (1, 5), (1, -5),
        (5, 2), (5, -2), (2, 5), (2, -5), (4, 4), (4, -4), (5, 3), (5, -3), (3, 5), (3, -5), (6, 0),
        (0, 6), (6, 1), (6, -1), (1, 6), (1, -6), (6, 2), (6, -2), (2, 6), (2, -6), (5, 4), (5, -4),
        (4, 5), (4, -5), (6, 3), (6, -3), (3, 6), (3, -6), (7, 0), (0, 7), (7, 1), (7, -1), (5, 5),
        (5, -5), (1, 7), (1, -7), (6, 4), (6, -4), (4, 6), (4, -6), (7, 2), (7, -2), (2, 7),
        (2, -7),
        (7, 3), (7, -3), (3, 7), (3, -7), (6, 5), (6, -5), (5, 6), (5, -6), (0, 8), (7, 4), (7, -4),
        (4, 7), (4, -7), (1, 8), (2, 8), (6, 6), (6, -6), (3, 8), (7, 5), (7, -5), (5, 7), (5, -7),
        (4, 8), (7, 6), (7, -6), (6, 7), (6, -7), (5, 8), (7, 7), (7, -7), (6, 8), (7, 8),
    ]
}
