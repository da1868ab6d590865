internal import AttachmentFormats
internal import CVips

/// A byte stream that libvips reads a few kilobytes at a time.
package final class VipsInput {
    let source: UnsafeMutablePointer<VipsSource>
    let fault: CallbackFault?

    /// Reads from the start of a seekable file; the descriptor is duplicated, and its offset moves.
    package init(descriptor: CInt) throws(VipsError) {
        try VipsLibrary.start()
        guard let source = vips_source_new_from_descriptor(descriptor) else {
            throw .drained(from: "source")
        }
        self.source = source
        fault = nil
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
        fault = nil
    }

    /// Reads the output of a closure.
    ///
    /// `read` fills a non-empty buffer and returns the number of bytes; 0 at the end. The
    /// computing thread calls it, never concurrently.
    init(
        reading read: @escaping (UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int
    ) throws(VipsError) {
        try VipsLibrary.start()
        let reader = ByteReader(read)
        fault = reader.fault
        // The source owns the reference and releases it at its end.
        source = thimble_source_reading(
            { _, bytes, length, context in
                guard let context, length > 0 else { return 0 }
                let reader = Unmanaged<ByteReader>.fromOpaque(context).takeUnretainedValue()
                let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(length))
                let count = reader.fault.capturing { () throws(DecodingFault) in
                    try reader.read(buffer)
                }
                return count.map { gint64($0) } ?? -1
            },
            Unmanaged.passRetained(reader).toOpaque(),
            { context, _ in
                if let context { Unmanaged<ByteReader>.fromOpaque(context).release() }
            })
    }

    deinit { g_object_unref(source) }
}

/// Passes the closure through C.
private final class ByteReader {
    let read: (UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int
    let fault = CallbackFault()

    init(_ read: @escaping (UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int) {
        self.read = read
    }
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
