/// Room for the planes of an animation: on the heap while a grant covers them, else in scratch
/// files.
///
/// Not `Sendable`: one thread makes and releases all planes of a conversion.
package final class PlaneSpace {
    package let scratch: ScratchSpace
    /// Asks for this many bytes of heap in total, beyond those that plans count.
    private let covers: (Int) -> Bool
    private var heapBytes = 0

    /// By default no grant covers anything, so that large planes lie in scratch files.
    package init(_ scratch: ScratchSpace, covers: @escaping (Int) -> Bool = { _ in false }) {
        (self.scratch, self.covers) = (scratch, covers)
    }

    /// Zeroed memory; up to 64 KiB it is always on the heap, as plans count.
    package func makePlane(bytes count: Int) throws(DecodingFault) -> PlaneMemory {
        let isGranted = count > FrameMemory.planesOnHeap && covers(heapBytes + count)
        if isGranted { heapBytes += count }
        do throws(DecodingFault) {
            return PlaneMemory(
                try FrameMemory(
                    bytes: count, heapLimit: isGranted ? count : FrameMemory.planesOnHeap,
                    scratch: scratch), granted: isGranted ? count : 0, in: self)
        } catch {
            if isGranted { heapBytes -= count }
            throw error
        }
    }

    fileprivate func giveBack(_ count: Int) { heapBytes -= count }
}

/// Memory of a plane, returned to its space by `deinit`.
package final class PlaneMemory {
    private let memory: FrameMemory
    private let granted: Int
    private let space: PlaneSpace

    fileprivate init(_ memory: FrameMemory, granted: Int, in space: PlaneSpace) {
        (self.memory, self.granted, self.space) = (memory, granted, space)
    }

    /// Valid as long as `self`.
    package var bytes: UnsafeMutableRawBufferPointer { memory.bytes }

    /// Requests the pages of a part in one read, if the system has evicted them.
    ///
    /// One page fault each takes a multiple of the time, and reading ahead evicts pages under a
    /// small cap.
    package func willNeed(_ start: UnsafeRawPointer, bytes count: Int) {
        memory.file?.willNeed(start, count)
    }

    /// Lets the system write changed pages to disk.
    package func didChange(bytes count: Int) { memory.mapping?.startWritingOut(after: count) }

    deinit { space.giveBack(granted) }
}
