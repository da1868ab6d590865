/// How a program places large blocks of its heap in memory of its own choice.
///
/// Libraries without an allocator to set ask the heap of the C library. A program that replaces that
/// heap, as the worker does, can keep their large blocks off the footprint.
package struct HeapPlacement: Sendable {
    /// Takes a range of addresses of so many bytes; nil when all are taken.
    let take: @convention(c) (Int) -> UnsafeMutableRawPointer?
    /// Places the large blocks that this thread asks for in a range, and gives that until now; nil
    /// for the heap.
    let place: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    /// Gives a range back; false when blocks are left in it, and it must stay mapped.
    let giveBack: @convention(c) (UnsafeMutableRawPointer?) -> Bool

    /// Names what a program's heap offers.
    ///
    /// - Parameters:
    ///   - take: Takes a range of addresses of so many bytes, where the caller maps memory that reads
    ///     as zeros; nil when all are taken.
    ///   - place: Places the large blocks that this thread asks for in a range, and gives that until
    ///     now; nil for the heap.
    ///   - giveBack: Gives a range back; false when blocks are left in it.
    package init(
        take: @escaping @convention(c) (Int) -> UnsafeMutableRawPointer?,
        place: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?,
        giveBack: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Bool
    ) {
        self.take = take
        self.place = place
        self.giveBack = giveBack
    }
}

/// A scratch file that large blocks of the heap lie in.
package final class ScratchHeap {
    private let file: MappedFile
    private let range: UnsafeMutableRawPointer
    private let placement: HeapPlacement
    private let space: ScratchSpace

    init(
        _ file: MappedFile, _ range: UnsafeMutableRawPointer, _ placement: HeapPlacement,
        in space: ScratchSpace
    ) {
        self.file = file
        self.range = range
        self.placement = placement
        self.space = space
    }

    /// Runs work whose large blocks, of this thread, lie in the file.
    ///
    /// They may outlive the work, but not the place.
    ///
    /// - Parameters:
    ///   - heap: The place; nil for the program's own heap.
    ///   - work: The work.
    /// - Returns: What the work returns.
    /// - Throws: What the work throws.
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

    deinit {
        file.abandon()
        // A library that keeps a block for good keeps its memory too.
        if placement.giveBack(range) { space.giveBack(room: file.count) }
    }
}
