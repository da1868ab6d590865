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
// belongs to one thread at a time. The lock and the semaphores order both.
final class RowRing: @unchecked Sendable {
    private struct Progress {
        /// Buffers that were filled and released so far; the oldest one in between is being read.
        var filled = 0
        var released = 0
        var isEnded = false
        var isStopped = false
        var readerWaits = false
        var decoderWaits = false

        /// True if the waiting reader is to be woken: by several buffers at once, because a wake-up
        /// takes as long as decoding a row.
        mutating func wakesReader() -> Bool {
            guard readerWaits, isEnded || filled - released >= SecondThread.buffersAtOnce else {
                return false
            }
            readerWaits = false
            return true
        }

        mutating func wakesDecoder() -> Bool {
            defer { decoderWaits = false }
            return decoderWaits
        }
    }

    private var source: (any PlaneRows)?
    private var buffers: [RowBuffer]
    private let progress = Lock(Progress())
    private let mayRead = DispatchSemaphore(value: 0)
    private let mayDecode = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Number of the buffer being filled.
    private var filling = 0
    private var isStopped = false
    /// True once the reader has a buffer.
    private var isReading = false

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
        let wakesReader = progress.withLock { progress in
            progress.filled += 1
            progress.isEnded = true
            return progress.wakesReader()
        }
        if wakesReader { mayRead.signal() }
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
        goToNextBuffer()
        return buffers[filling].emptied(for: plane)
    }

    private func goToNextBuffer() {
        let count = buffers.count
        let (wakesReader, waits, stops) = progress.withLock { progress in
            progress.filled += 1
            let isFull = progress.filled - progress.released == count
            progress.decoderWaits = isFull && !progress.isStopped
            return (progress.wakesReader(), progress.decoderWaits, progress.isStopped)
        }
        if wakesReader { mayRead.signal() }
        if waits { mayDecode.wait() }
        isStopped = waits ? progress.withLock { $0.isStopped } : stops
        filling = (filling + 1) % count
    }

    /// The next rows; the ones before may be overwritten from now on.
    ///
    /// Not to be called after the end.
    func next() -> RowBuffer {
        let (reading, waits, wakesDecoder) = progress.withLock { progress in
            // The first call releases no buffer.
            let wakesDecoder = isReading && progress.wakesDecoder()
            if isReading { progress.released += 1 }
            progress.readerWaits = progress.filled == progress.released
            return (progress.released, progress.readerWaits, wakesDecoder)
        }
        isReading = true
        if wakesDecoder { mayDecode.signal() }
        if waits { mayRead.wait() }
        return buffers[reading % buffers.count]
    }

    /// Ends the thread, waits for it, and releases the source and the buffers.
    func end() {
        let wakesDecoder = progress.withLock { progress in
            progress.isStopped = true
            return progress.wakesDecoder()
        }
        if wakesDecoder { mayDecode.signal() }
        ended.wait()
        // The thread may keep the ring a little longer.
        source = nil
        buffers = []
    }
}
