#if SYSTEM_CODECS
    import AttachmentContainer
    import AttachmentModel
    import AttachmentPlanning
    internal import CJPEG
    import Dispatch

    /// The rows of every plane in a row of MCUs; none at the end.
    // Sendable: the reader keeps the rows until they are given back.
    struct JPEGRows: @unchecked Sendable {
        let status: thimble_jpeg_status
        let rows: [thimble_jpeg_rows]

        static func next(of reader: OpaquePointer) -> JPEGRows {
            var rows = Array(repeating: thimble_jpeg_rows(), count: Int(thimble_jpeg_planes))
            return JPEGRows(status: thimble_jpeg_reader_next(reader, &rows), rows: rows)
        }
    }

    /// Rows of a JPEG that a thread decodes while those before are resampled.
    ///
    /// Of 45 ms for 12 megapixels it saves 8, and it takes a third more processor time (measured with two
    /// hyperthreads), so that it suits only otherwise idle cores. The thread waits once it has decoded
    /// all that the reader holds.
    // Sendable: from the start to `ended`, only the thread uses the reader; semaphores order all else.
    final class JPEGRowsAhead: @unchecked Sendable {
        private let reader: OpaquePointer
        private let results = Lock<[JPEGRows]>([])
        private let isStopped = Lock(false)
        /// Number of held rows of MCUs that may be overwritten.
        private let free = DispatchSemaphore(value: 0)
        /// Number of decoded rows of MCUs.
        private let decoded = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)
        private var isFirst = true

        /// Starts the thread; nil if that is impossible.
        init?(_ reader: OpaquePointer) {
            self.reader = reader
            for _ in 0..<ReadingAhead.sets { free.signal() }
            let isStarted = SmallThread.start(stackBytes: ReadingAhead.stackBytes) { self.decode() }
            guard isStarted else { return nil }
        }

        private func decode() {
            while true {
                free.wait()
                guard !isStopped.withLock({ $0 }) else { break }
                let next = JPEGRows.next(of: reader)
                results.withLock { $0.append(next) }
                decoded.signal()
                guard next.status == THIMBLE_JPEG_OK, next.rows[0].count > 0 else { break }
            }
            ended.signal()
        }

        /// The next rows; those before may be overwritten from now on.
        func next() -> JPEGRows {
            if !isFirst { free.signal() }
            isFirst = false
            decoded.wait()
            return results.withLock { $0.removeFirst() }
        }

        /// Ends the thread, and waits for it.
        func end() {
            isStopped.withLock { $0 = true }
            free.signal()
            ended.wait()
        }
    }
#endif
