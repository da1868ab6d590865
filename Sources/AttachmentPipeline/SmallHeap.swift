internal import CVips

enum SmallHeap {
    /// Returns free heap pages to the system.
    static func trim() { thimble_trim_heap() }
}
