internal import AttachmentContainer
internal import AttachmentFormats

#if SYSTEM_CODECS
    internal import CVips
#elseif BinaryVips
    internal import CVipsFramework
#endif

extension VipsImage {
    enum RowColours {
        case grey
        case rgb
        case cmyk
    }

    /// Creates a picture whose rows are generated on demand, once, from top to bottom.
    ///
    /// `writeRow` fills the next row. The computing thread calls it, never concurrently, and not
    /// again after a failure.
    static func rows(
        size: PixelSize, bands: Int, isDeep: Bool, colours: RowColours, profile: [UInt8]?,
        _ writeRow: @escaping (UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Void
    ) throws(VipsError) -> VipsImage {
        try VipsLibrary.start()
        let format = isDeep ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR
        let writer = RowWriter(rowBytes: size.width * bands * (isDeep ? 2 : 1), writeRow)
        // The image owns the reference and releases it at the end, or at once if it is not created.
        let made = thimble_image_generating(
            CInt(clamping: size.width), CInt(clamping: size.height), CInt(clamping: bands), format,
            colours.interpretation(isDeep: isDeep),
            { region, _, context, _, _ in
                guard let region, let context else { return -1 }
                return Unmanaged<RowWriter>.fromOpaque(context).takeUnretainedValue()
                    .fill(region)
            },
            Unmanaged.passRetained(writer).toOpaque(), releaseContext)
        guard let made else { throw .drained(from: "rows") }
        let image = VipsImage(owning: made, fault: writer.fault)
        if let profile {
            vips_image_set_blob_copy(made, "icc-profile-data", profile, profile.count)
        }
        // Like libvips' own loaders, so that reductions cache the rows that they read twice.
        vips_image_set_int(made, "vips-sequential", 1)
        return try image.applying("sequential", ["tile-height": .int(8)])
    }
}

extension VipsImage.RowColours {
    fileprivate func interpretation(isDeep: Bool) -> VipsInterpretation {
        switch self {
        case .grey: isDeep ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W
        case .rgb: isDeep ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB
        case .cmyk: VIPS_INTERPRETATION_CMYK
        }
    }
}

/// Checks the order of rows.
private final class RowWriter {
    private let rowBytes: Int
    private let writeRow: (UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Void
    let fault = CallbackFault()
    private var next = 0
    private var hasFailed = false

    init(
        rowBytes: Int,
        _ writeRow: @escaping (UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Void
    ) {
        self.rowBytes = rowBytes
        self.writeRow = writeRow
    }

    /// Writes the rows of a region; returns 0 for success, -1 for failure.
    func fill(_ region: UnsafeMutablePointer<VipsRegion>) -> CInt {
        let area = region.pointee.valid
        // `sequential` asks for whole rows, once each, from top to bottom.
        guard Int(area.top) == next, area.left == 0, !hasFailed else { return -1 }
        for y in area.top..<area.top + area.height {
            // libvips has allocated the whole width of every row in the area.
            let row = UnsafeMutableRawBufferPointer(
                start: thimble_region_row(region, y), count: rowBytes)
            let done: Void? = fault.capturing { () throws(DecodingFault) in try writeRow(row) }
            guard done != nil else {
                hasFailed = true
                return -1
            }
        }
        next += Int(area.height)
        return 0
    }
}
