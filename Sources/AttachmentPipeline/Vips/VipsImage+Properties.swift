package import AttachmentContainer
internal import CVips

extension VipsImage {
    /// The size in pixels.
    package var size: PixelSize {
        PixelSize(
            width: Int(vips_image_get_width(pointer)), height: Int(vips_image_get_height(pointer)))
    }

    /// The number of samples a pixel, alpha included.
    package var bands: Int { Int(vips_image_get_bands(pointer)) }

    /// Whether the last band is alpha.
    package var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }

    /// Whether a sample is wider than eight bits.
    package var isDeep: Bool { vips_image_get_format(pointer) != VIPS_FORMAT_UCHAR }

    /// Whether the samples are inks.
    package var isCMYK: Bool {
        vips_image_get_interpretation(pointer) == VIPS_INTERPRETATION_CMYK
    }

    /// Whether there is only luminance, with or without alpha.
    package var isGrey: Bool { bands < 3 }

    /// Whether an ICC profile came with the picture.
    package var hasProfile: Bool {
        vips_image_get_typeof(pointer, "icc-profile-data") != 0
    }

    /// The same pixels without the mark that they can be read from top to bottom only, for a step
    /// that is sure to read them so by itself.
    ///
    /// - Returns: The unmarked picture.
    /// - Throws: `VipsError` with libvips' own words.
    package func unmarkedAsSequential() throws(VipsError) -> VipsImage {
        let copy = try applying("copy")
        vips_image_remove(copy.pointer, "vips-sequential")
        return copy
    }

    /// Removes every field that describes the file rather than the pixels: Exif, XMP, IPTC,
    /// comments, resolution, orientation.
    ///
    /// - Parameter keepingProfile: Whether the ICC profile stays.
    /// - Returns: The same pixels with those fields gone.
    /// - Throws: `VipsError` with libvips' own words.
    package func removingMetadata(keepingProfile: Bool) throws(VipsError) -> VipsImage {
        let copy = try applying("copy")
        guard let fields = vips_image_get_fields(copy.pointer) else { return copy }
        defer { g_strfreev(fields) }
        var field = fields
        while let name = field.pointee {
            let text = String(cString: name)
            let isProfile = text == "icc-profile-data"
            if isProfile ? !keepingProfile : Self.describesFile(text) {
                vips_image_remove(copy.pointer, name)
            }
            field += 1
        }
        return copy
    }

    private static func describesFile(_ field: String) -> Bool {
        [
            "exif", "xmp", "iptc", "photoshop", "png-comment", "orientation", "jpeg-", "gif-",
            "heif-",
        ]
        .contains { field.hasPrefix($0) }
    }
}
