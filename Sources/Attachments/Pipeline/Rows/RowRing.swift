import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Dispatch

/// A few buffers of rows between the thread that decodes them and the one that resamples them.
///
/// The decoding thread waits for a free buffer within a call of the source, so that a source which
/// decodes many rows at once takes no more memory.
// Sendable: from `start` to `ended`, only the thread uses `source`, `filling` and `isStopped`; a buffer
// belongs to one thread at a time. The semaphores order both.
final class RowRing: @unchecked Sendable {
    private var source: (any PlaneRows)?
    private var buffers: [RowBuffer]
    private let free = DispatchSemaphore(value: 0)
    private let filled = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private let mayStop = Lock(false)

    /// Numbers of the buffer being filled, and of the next one to be resampled.
    private var filling = 0
    private var reading = 0
    private var isStopped = false

    init(_ source: any PlaneRows) {
        self.source = source
        let longestRow = source.layout.rowBytes.reduce(0, max)
        buffers = (0..<SecondThread.buffers).map { _ in
            RowBuffer(
                source.layout, bytes: SecondThread.bufferBytes(longestRow: longestRow),
                rows: SecondThread.bufferRows)
        }
    }

    /// False if no thread can be started.
    func start() -> Bool {
        for _ in buffers.dropFirst() { free.signal() }
        let isStarted = SmallThread.start(stackBytes: SecondThread.stackBytes) {
            self.decode()
            self.ended.signal()
        }
        if !isStarted { ended.signal() }
        return isStarted
    }

    private func decode() {
        var ending = Result<Void, DecodingFault>.success(())
        do throws(DecodingFault) {
            if let written = source as? any WrittenRows {
                while !isStopped, try written.next(into: place(for: 0)) {
                    buffers[filling].add(0)
                }
            } else {
                while !isStopped, try source?.next({ plane, row in append(plane, row) }) ?? false {}
            }
        } catch {
            ending = .failure(error)
        }
        buffers[filling].ending = ending
        filled.signal()
    }

    private func append(_ plane: Int, _ row: UnsafeRawPointer) {
        guard !isStopped else { return }
        let place = place(for: plane)
        place.copyMemory(from: UnsafeRawBufferPointer(start: row, count: place.count))
        buffers[filling].add(plane)
    }

    /// Room for a row in a buffer; waits for a free one if need be.
    private func place(for plane: Int) -> UnsafeMutableRawBufferPointer {
        if let place = buffers[filling].place(for: plane) { return place }
        filled.signal()
        free.wait()
        filling = (filling + 1) % buffers.count
        isStopped = mayStop.withLock { $0 }
        return buffers[filling].emptied(for: plane)
    }

    /// The next rows; the ones before may be overwritten from now on.
    ///
    /// Not to be called after the end.
    func next() -> RowBuffer {
        if reading > 0 { free.signal() }
        filled.wait()
        defer { reading += 1 }
        return buffers[reading % buffers.count]
    }

    /// Ends the thread, waits for it, and releases the source and the buffers.
    func end() {
        mayStop.withLock { $0 = true }
        free.signal()
        ended.wait()
        // The thread may keep the ring a little longer.
        source = nil
        buffers = []
    }
}
