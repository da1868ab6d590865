/// Collects the colours of a frame while they fit in a palette.
struct ExactColours {
    private static let capacity = 1024
    private let limit: Int
    /// Open-addressed colour table; 0 marks an empty slot because stored colours are never
    /// transparent.
    private var slots = [UInt32](repeating: 0, count: capacity)
    private(set) var colours: [UInt32] = []
    private(set) var hasOverflowed = false
    private var last: UInt32 = 0

    init(limit: Int) {
        self.limit = limit
        colours.reserveCapacity(limit)
    }

    mutating func clear() {
        for slot in slots.indices { slots[slot] = 0 }
        colours.removeAll(keepingCapacity: true)
        (hasOverflowed, last) = (false, 0)
    }

    /// Inserts a pixel of alpha 255.
    @inline(__always)
    mutating func insert(_ pixel: UInt32) {
        guard pixel != last, !hasOverflowed else { return }
        last = pixel
        // Fibonacci hashing (Knuth, volume 3, section 6.4).
        var slot = Int((pixel &* 2_654_435_769) >> 22)
        while slots[slot] != 0 {
            if slots[slot] == pixel { return }
            slot = (slot &+ 1) & (Self.capacity &- 1)
        }
        guard colours.count < limit else { return hasOverflowed = true }
        slots[slot] = pixel
        colours.append(pixel)
    }
}
