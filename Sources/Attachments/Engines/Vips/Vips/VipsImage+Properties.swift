package import AttachmentContainer

#if SYSTEM_CODECS
    internal import CVips
#elseif BinaryVips
    internal import CVipsFramework
#endif

extension VipsImage {
    package var size: PixelSize {
        PixelSize(
            width: Int(vips_image_get_width(pointer)), height: Int(vips_image_get_height(pointer)))
    }

    package var bands: Int { Int(vips_image_get_bands(pointer)) }

    package var hasAlpha: Bool { vips_image_hasalpha(pointer) != 0 }

    /// True for samples of more than 8 bits.
    package var isDeep: Bool { vips_image_get_format(pointer) != VIPS_FORMAT_UCHAR }

    package var isCMYK: Bool {
        vips_image_get_interpretation(pointer) == VIPS_INTERPRETATION_CMYK
    }

    var isLab: Bool {
        [VIPS_INTERPRETATION_LAB, VIPS_INTERPRETATION_LABQ, VIPS_INTERPRETATION_LABS]
            .contains(vips_image_get_interpretation(pointer))
    }

    package var isGrey: Bool { bands < 3 }

    package var hasProfile: Bool {
        vips_image_get_typeof(pointer, "icc-profile-data") != 0
    }

    /// Removes the sequential mark, for a step that reads from top to bottom on its own.
    package func unmarkedAsSequential() throws(VipsError) -> VipsImage {
        let copy = try applying("copy")
        vips_image_remove(copy.pointer, "vips-sequential")
        return copy
    }

    /// Removes fields that describe the file: Exif, XMP, IPTC, comments, resolution, orientation.
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

    func removingProfile() throws(VipsError) -> VipsImage {
        let copy = try applying("copy")
        vips_image_remove(copy.pointer, "icc-profile-data")
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
