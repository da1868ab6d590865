internal import AttachmentFormats

#if SYSTEM_CODECS
    internal import CVips
#elseif BinaryVips
    internal import CVipsFramework
#endif

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
        let fault = CallbackFault()
        self.fault = fault
        // The source owns the reference and releases it at its end.
        source = thimble_source_reading(
            { _, bytes, length, context in
                guard let context, length > 0 else { return 0 }
                let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: Int(length))
                return CallbackBox<Read>.value(at: context)(buffer).map { gint64($0) } ?? -1
            },
            CallbackBox<Read> { buffer in
                fault.capturing { () throws(DecodingFault) in try read(buffer) }
            }.retained, { context, _ in releaseContext(context) })
    }

    deinit { g_object_unref(source) }
}

/// Fills a buffer and returns the number of bytes; nil after a fault.
private typealias Read = (UnsafeMutableRawBufferPointer) -> Int?

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
