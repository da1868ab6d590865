internal import CVips

/// Settings of the whole process that keep its heap small.
///
/// They are for programs that exist to process attachments; a library must not decide for an app.
public enum SmallHeap {
    /// Makes the allocator give memory back to the system early.
    ///
    /// Call it before anything else. Blocks of 64 KiB and more are mapped by themselves, so that
    /// they go back when they are freed, and all threads share one heap. It does something only
    /// with the GNU C library.
    public static func prepare() { thimble_keep_heap_small(64 << 10) }

    /// Gives back what is free in the heap.
    public static func trim() { thimble_trim_heap() }
}
