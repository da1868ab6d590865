package import AttachmentModel

#if SYSTEM_CODECS
    internal import CVips
#elseif BinaryVips
    internal import CVipsFramework
#endif

extension VipsImage {
    /// Sets the orientation field, which savers write as the Exif orientation tag.
    package func marked(orientation: Orientation) throws(VipsError) -> VipsImage {
        let copy = try applying("copy")
        vips_image_set_int(copy.pointer, "orientation", CInt(orientation.rawValue))
        return copy
    }
}
