/// Collects the colours of a picture while they fit in a palette.
struct ExactColours {
    private static let capacity = 1024
    private let limit: Int
    /// Open-addressed colour table of positions in `colours`, from 1; 0 marks an empty slot.
    private var slots = [UInt16](repeating: 0, count: capacity)
    private(set) var colours: [UInt32] = []
    private(set) var hasOverflowed = false
    private var last: (pixel: UInt32, index: Int)?

    /// - Parameter limit: The most colours, at most 256.
    init(limit: Int) {
        self.limit = limit
        colours.reserveCapacity(limit)
    }

    mutating func clear() {
        for slot in slots.indices { slots[slot] = 0 }
        colours.removeAll(keepingCapacity: true)
        (hasOverflowed, last) = (false, nil)
    }

    /// Inserts a pixel, and returns the index of its colour; nil once there are too many.
    @inline(__always) @discardableResult
    mutating func insert(_ pixel: UInt32) -> Int? {
        if let last, last.pixel == pixel { return last.index }
        guard !hasOverflowed else { return nil }
        // Fibonacci hashing (Knuth, volume 3, section 6.4).
        var slot = Int((pixel &* 2_654_435_769) >> 22)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) &- 1
            if colours[index] == pixel {
                last = (pixel, index)
                return index
            }
            slot = (slot &+ 1) & (Self.capacity &- 1)
        }
        guard colours.count < limit else {
            (hasOverflowed, last) = (true, nil)
            return nil
        }
        colours.append(pixel)
        slots[slot] = UInt16(truncatingIfNeeded: colours.count)
        last = (pixel, colours.count &- 1)
        return colours.count &- 1
    }
}
