internal import AttachmentContainer

#if SYSTEM_CODECS
    internal import CVips
#elseif BinaryVips
    internal import CVipsFramework
#endif

extension VipsImage {
    package var heldBytes: Int { size.height * rowBytes }

    package var rowBytes: Int { size.width * pixelBytes }

    /// Bytes of one pixel; samples have 8 or 16 bits.
    package var pixelBytes: Int { bands * (isDeep ? 2 : 1) }

    /// Computes the pixels, row by row from top to bottom.
    ///
    /// `body` receives each row once, on another thread, while this one waits. The row is valid
    /// only during the call.
    package func forEachRow(_ body: (UnsafeRawBufferPointer) -> Void) throws(VipsError) {
        let result = withoutActuallyEscaping(body) { body in
            let rowBytes = rowBytes
            let reader = CallbackBox<ReadRows> { region, area in
                for y in area.top..<area.top + area.height {
                    body(
                        UnsafeRawBufferPointer(
                            start: thimble_region_row(region, y), count: rowBytes))
                }
            }
            // The call returns after the last row, and then no thread uses the reader.
            return withExtendedLifetime(reader) {
                vips_sink_disc(
                    pointer,
                    { region, area, context in
                        guard let region, let area, let context else { return -1 }
                        CallbackBox<ReadRows>.value(at: context)(region, area.pointee)
                        return 0
                    },
                    Unmanaged.passUnretained(reader).toOpaque())
            }
        }
        guard result == 0 else { throw .drained(from: "sink_disc", fault: fault) }
    }

    /// Wraps memory that holds the computed pixels of this picture.
    ///
    /// The memory has at least ``heldBytes``. The new picture retains `owner` and keeps this one's
    /// profile, but no other field.
    package func replaced(
        by memory: UnsafeMutableRawBufferPointer, of owner: AnyObject
    ) throws(VipsError) -> VipsImage {
        precondition(memory.count >= heldBytes, "the memory is shorter than the picture")
        let made = vips_image_new_from_memory(
            memory.baseAddress, heldBytes, CInt(size.width), CInt(size.height), CInt(bands),
            vips_image_get_format(pointer))
        guard let made else { throw .drained(from: "new_image") }
        let image = VipsImage(owning: made)
        thimble_keep(made, Unmanaged.passRetained(owner).toOpaque(), releaseContext)
        made.pointee.Type = vips_image_get_interpretation(pointer)
        if let profile {
            vips_image_set_blob_copy(made, "icc-profile-data", profile, profile.count)
        }
        return image
    }
}

/// Receives computed rows; libvips asks for whole rows within the picture.
private typealias ReadRows = (UnsafeMutablePointer<VipsRegion>, VipsRect) -> Void
