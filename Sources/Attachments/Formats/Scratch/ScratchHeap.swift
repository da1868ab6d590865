/// Hooks for placing large heap blocks in memory of the caller's choice.
///
/// Some libraries have no allocator to set and use the C heap. A program that replaces that heap,
/// as the worker does, can keep their large blocks out of the footprint.
package struct HeapPlacement: Sendable {
    /// Reserves an address range of this many bytes; nil if none is left.
    let take: @convention(c) (Int) -> UnsafeMutableRawPointer?
    /// Sets the range for this thread's large blocks (nil for the heap) and returns the previous
    /// one.
    let place: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    /// Lets a large block that does not fit in a range end the process.
    let confine: @convention(c) (UnsafeMutableRawPointer?) -> Void
    /// Releases a range; false if it still holds blocks and must stay mapped.
    let giveBack: @convention(c) (UnsafeMutableRawPointer?) -> Bool

    /// The caller of `take` maps zeroed memory into the range.
    package init(
        take: @escaping @convention(c) (Int) -> UnsafeMutableRawPointer?,
        place: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
        confine: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void,
        giveBack: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Bool
    ) {
        (self.take, self.place, self.confine, self.giveBack) = (take, place, confine, giveBack)
    }
}

/// A scratch file that holds large heap blocks.
package final class ScratchHeap {
    private let file: MappedFile
    private let range: UnsafeMutableRawPointer
    private let placement: HeapPlacement
    private let space: ScratchSpace

    init(
        _ file: MappedFile, _ range: UnsafeMutableRawPointer, _ placement: HeapPlacement,
        in space: ScratchSpace
    ) {
        (self.file, self.range, self.placement, self.space) = (file, range, placement, space)
    }

    /// Runs `work` with this thread's large blocks in the file of `heap`, which must outlive the
    /// blocks; nil for the heap.
    package static func placing<Value, Failure: Error>(
        in heap: ScratchHeap?, _ work: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard let heap else { return try work() }
        return try withExtendedLifetime(heap) { () throws(Failure) in
            let before = heap.placement.place(heap.range)
            defer { _ = heap.placement.place(before) }
            return try work()
        }
    }

    deinit { space.giveBack(range, of: file) }
}
