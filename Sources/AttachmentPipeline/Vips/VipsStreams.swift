internal import CVips

/// A byte stream that libvips reads a few kilobytes at a time.
package final class VipsInput {
    let source: UnsafeMutablePointer<VipsSource>

    /// Reads from the start of a seekable file; the descriptor is duplicated, and its offset moves.
    package init(descriptor: CInt) throws(VipsError) {
        try VipsLibrary.start()
        guard let source = vips_source_new_from_descriptor(descriptor) else {
            throw .drained(from: "source")
        }
        self.source = source
    }

    /// Reads a copy of bytes in memory.
    package init(bytes: [UInt8]) throws(VipsError) {
        try VipsLibrary.start()
        let blob = vips_blob_copy(bytes, bytes.count)
        // The source retains the blob.
        defer {
            vips_area_unref(UnsafeMutableRawPointer(blob)?.assumingMemoryBound(to: VipsArea.self))
        }
        guard let source = vips_source_new_from_blob(blob) else { throw .drained(from: "source") }
        self.source = source
    }

    /// Reads the output of a closure.
    ///
    /// `read` fills a non-empty buffer and returns the number of bytes; 0 at the end, nil for
    /// failure. The computing thread calls it, never concurrently.
    package init(
        reading read: @escaping (UnsafeMutableRawBufferPointer) -> Int?
    ) throws(VipsError) {
        try VipsLibrary.start()
        // The source owns the reference and releases it at its end.
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

/// Passes the closure through C.
private final class ByteReader {
    let read: (UnsafeMutableRawBufferPointer) -> Int?

    init(_ read: @escaping (UnsafeMutableRawBufferPointer) -> Int?) { self.read = read }
}

/// An open file that libvips writes to, a few kilobytes at a time.
package final class VipsOutput {
    let target: UnsafeMutablePointer<VipsTarget>

    /// Writes from the current offset of a file; the descriptor is duplicated.
    package init(descriptor: CInt) throws(VipsError) {
        try VipsLibrary.start()
        guard let target = vips_target_new_to_descriptor(descriptor) else {
            throw .drained(from: "target")
        }
        self.target = target
    }

    deinit { g_object_unref(target) }
}
