internal import CVips

/// Bytes that libvips reads, a few kilobytes at a time.
package final class VipsInput {
    let source: UnsafeMutablePointer<VipsSource>

    /// Reads from the start of an open file.
    ///
    /// - Parameter descriptor: Open for reading and seekable. It is duplicated, not taken over; its
    ///   offset moves.
    /// - Throws: `VipsError` when the file cannot be used.
    package init(descriptor: CInt) throws(VipsError) {
        try VipsLibrary.start()
        guard let source = vips_source_new_from_descriptor(descriptor) else {
            throw .drained(from: "source")
        }
        self.source = source
    }

    /// Reads bytes in memory, copied.
    ///
    /// - Parameter bytes: All there is.
    /// - Throws: `VipsError` when there is no memory for them.
    package init(bytes: [UInt8]) throws(VipsError) {
        try VipsLibrary.start()
        let blob = vips_blob_copy(bytes, bytes.count)
        // The source takes a reference of its own.
        defer {
            vips_area_unref(UnsafeMutableRawPointer(blob)?.assumingMemoryBound(to: VipsArea.self))
        }
        guard let source = vips_source_new_from_blob(blob) else { throw .drained(from: "source") }
        self.source = source
    }

    /// Reads what a closure gives, piece by piece.
    ///
    /// - Parameter read: Writes the next bytes into a buffer, at least one of room, and answers how
    ///   many there were; 0 at the end, nil to make the reading fail. It is called by the thread that
    ///   computes, never twice at once.
    /// - Throws: `VipsError` when libvips cannot be started.
    package init(
        reading read: @escaping (UnsafeMutableRawBufferPointer) -> Int?
    ) throws(VipsError) {
        try VipsLibrary.start()
        // The source owns the reference and releases it when it goes.
        source = thimble_source_reading(
            { _, bytes, length, context in
                guard let context, length > 0 else { return 0 }
                let reader = Unmanaged<ByteReader>.fromOpaque(context).takeUnretainedValue()
                let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(length))
                return reader.read(buffer).map { gint64($0) } ?? -1
            },
            Unmanaged.passRetained(ByteReader(read)).toOpaque(),
            { context, _ in
                if let context { Unmanaged<ByteReader>.fromOpaque(context).release() }
            })
    }

    deinit { g_object_unref(source) }
}

/// Carries the closure across the C boundary.
private final class ByteReader {
    let read: (UnsafeMutableRawBufferPointer) -> Int?

    init(_ read: @escaping (UnsafeMutableRawBufferPointer) -> Int?) { self.read = read }
}

/// An open file that libvips writes to, a few kilobytes at a time.
package final class VipsOutput {
    let target: UnsafeMutablePointer<VipsTarget>

    /// Writes from the current offset of an open file.
    ///
    /// - Parameter descriptor: Open for writing. It is duplicated, not taken over.
    /// - Throws: `VipsError` when the file cannot be used.
    package init(descriptor: CInt) throws(VipsError) {
        try VipsLibrary.start()
        guard let target = vips_target_new_to_descriptor(descriptor) else {
            throw .drained(from: "target")
        }
        self.target = target
    }

    deinit { g_object_unref(target) }
}
