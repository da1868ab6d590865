internal import CVips

/// The heap of this process between attachments.
enum SmallHeap {
    /// Gives back to the system what is free in the heap.
    static func trim() { thimble_trim_heap() }
}
