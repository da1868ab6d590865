/// Pending deadlines: a binary heap, the earliest first, from which any can be removed.
struct DeadlineHeap {
    struct Entry: Sendable {
        let instant: ContinuousClock.Instant
        let number: UInt64
        let mayBlock: Bool
        let action: @Sendable () -> Void

        /// Equal times are in the order of insertion.
        fileprivate func precedes(_ other: Entry) -> Bool {
            (instant, number) < (other.instant, other.number)
        }
    }

    /// Room that is kept after a burst, 90 kB.
    private static let keptCapacity = 1024

    private var entries: [Entry] = []
    /// Indices into `entries` by number.
    private var positions: [UInt64: Int] = [:]

    /// The earliest time.
    var first: ContinuousClock.Instant? { entries.first?.instant }

    var count: Int { entries.count }

    /// Number of entries for which memory is held.
    var capacity: Int { entries.capacity }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        positions[entry.number] = entries.count - 1
        rise(entries.count - 1)
    }

    @discardableResult
    mutating func remove(_ number: UInt64) -> Entry? {
        guard let position = positions.removeValue(forKey: number) else { return nil }
        let removed = entries[position]
        let last = entries.removeLast()
        if position < entries.count {
            place(last, at: position)
            sink(position)
            rise(position)
        }
        shrink()
        return removed
    }

    /// Removes the entries that are due, the earliest first.
    mutating func removeAll(until now: ContinuousClock.Instant) -> [Entry] {
        var due: [Entry] = []
        while let first = entries.first, first.instant <= now {
            due.append(first)
            remove(first.number)
        }
        return due
    }

    private mutating func place(_ entry: Entry, at position: Int) {
        entries[position] = entry
        positions[entry.number] = position
    }

    private mutating func rise(_ start: Int) {
        var position = start
        let entry = entries[position]
        while position > 0 {
            let parent = (position - 1) / 2
            guard entry.precedes(entries[parent]) else { break }
            place(entries[parent], at: position)
            position = parent
        }
        if position != start { place(entry, at: position) }
    }

    private mutating func sink(_ start: Int) {
        var position = start
        let entry = entries[position]
        while true {
            var child = 2 * position + 1
            guard child < entries.count else { break }
            if child + 1 < entries.count, entries[child + 1].precedes(entries[child]) { child += 1 }
            guard entries[child].precedes(entry) else { break }
            place(entries[child], at: position)
            position = child
        }
        if position != start { place(entry, at: position) }
    }

    /// Returns memory after a burst, which arrays and dictionaries keep.
    private mutating func shrink() {
        guard entries.capacity > Self.keptCapacity, entries.count < entries.capacity / 4 else {
            return
        }
        entries = entries.map { $0 }
        positions = Dictionary(uniqueKeysWithValues: positions.map { $0 })
    }
}
