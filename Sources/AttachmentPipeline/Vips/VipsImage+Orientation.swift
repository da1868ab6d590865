package import AttachmentPlanning
internal import CVips

extension VipsImage {
    /// The same pixels, with a mark for how they must be turned to stand upright.
    ///
    /// Savers write it as the Exif orientation tag.
    ///
    /// - Parameter orientation: What the mark says.
    /// - Returns: The marked picture.
    /// - Throws: `VipsError` with libvips' own words.
    package func marked(orientation: Orientation) throws(VipsError) -> VipsImage {
        let copy = try applying("copy")
        vips_image_set_int(copy.pointer, "orientation", CInt(orientation.rawValue))
        return copy
    }
}
