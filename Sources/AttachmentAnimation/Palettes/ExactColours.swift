/// Collects the colours of a frame as long as they are few enough for a palette of their own.
struct ExactColours {
    private static let capacity = 1024
    private let limit: Int
    /// Colours by a hash of theirs; 0 where there is none, since a colour has alpha.
    private var slots = [UInt32](repeating: 0, count: capacity)
    /// The colours as they came.
    private(set) var colours: [UInt32] = []
    /// Whether there were more than the palette can have.
    private(set) var areTooMany = false
    private var last: UInt32 = 0

    /// Makes an empty collection.
    ///
    /// - Parameter limit: The most colours, at most 255.
    init(limit: Int) { self.limit = limit }

    /// Takes in a colour.
    ///
    /// - Parameter pixel: With alpha 255.
    @inline(__always)
    mutating func insert(_ pixel: UInt32) {
        guard pixel != last, !areTooMany else { return }
        last = pixel
        // Fibonacci hashing (Knuth, volume 3, section 6.4).
        var slot = Int((pixel &* 2_654_435_769) >> 22)
        while slots[slot] != 0 {
            if slots[slot] == pixel { return }
            slot = (slot &+ 1) & (Self.capacity &- 1)
        }
        guard colours.count < limit else { return areTooMany = true }
        slots[slot] = pixel
        colours.append(pixel)
    }
}
