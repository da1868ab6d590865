package import AttachmentContainer
internal import CVips

extension VipsImage {
    /// What the samples of a picture mean that is given row by row.
    package enum RowColours: Sendable {
        /// One band, or two with alpha.
        case grey
        /// Three bands, or four with alpha.
        case rgb
        /// Four bands.
        case cmyk
    }

    /// Makes a picture whose rows are written one after the other while they are asked for.
    ///
    /// - Parameters:
    ///   - size: In pixels.
    ///   - bands: Samples a pixel, 1 to 4.
    ///   - isDeep: Whether a sample has 16 bits.
    ///   - colours: What the samples mean.
    ///   - profile: The ICC profile of the samples; nil for none.
    ///   - writeRow: Writes the next row to exactly as many bytes as it takes; answers false, after
    ///     which it is called no more, to make the computation fail. It is called by the thread that
    ///     computes, never twice at once.
    /// - Returns: The picture, to be read once from top to bottom.
    /// - Throws: `VipsError` when there is no such picture.
    package static func rows(
        size: PixelSize, bands: Int, isDeep: Bool, colours: RowColours, profile: [UInt8]?,
        _ writeRow: @escaping (UnsafeMutableRawBufferPointer) -> Bool
    ) throws(VipsError) -> VipsImage {
        try VipsLibrary.start()
        let format = isDeep ? VIPS_FORMAT_USHORT : VIPS_FORMAT_UCHAR
        let writer = RowWriter(
            rowBytes: size.width * bands * (isDeep ? 2 : 1), writeRow)
        // The image owns the reference and releases it when it goes, or at once when there is none.
        let made = thimble_image_generating(
            CInt(clamping: size.width), CInt(clamping: size.height), CInt(clamping: bands), format,
            colours.interpretation(isDeep: isDeep),
            { region, _, context, _, _ in
                guard let region, let context else { return -1 }
                return Unmanaged<RowWriter>.fromOpaque(context).takeUnretainedValue()
                    .fill(region)
            },
            Unmanaged.passRetained(writer).toOpaque(),
            { context in
                if let context { Unmanaged<RowWriter>.fromOpaque(context).release() }
            })
        guard let made else { throw .drained(from: "rows") }
        let image = VipsImage(owning: made)
        if let profile {
            vips_image_set_blob_copy(made, "icc-profile-data", profile, profile.count)
        }
        // As its own loaders do: the reductions keep the rows then that they ask for twice.
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

/// Carries the closure across the C boundary, and sees to it that rows are asked for in order.
private final class RowWriter {
    private let rowBytes: Int
    private let writeRow: (UnsafeMutableRawBufferPointer) -> Bool
    private var next = 0
    private var hasFailed = false

    init(rowBytes: Int, _ writeRow: @escaping (UnsafeMutableRawBufferPointer) -> Bool) {
        self.rowBytes = rowBytes
        self.writeRow = writeRow
    }

    /// Writes the rows of a region; 0 for success, as libvips counts.
    func fill(_ region: UnsafeMutablePointer<VipsRegion>) -> CInt {
        let area = region.pointee.valid
        // `sequential` asks for whole rows, each once, from top to bottom.
        guard Int(area.top) == next, area.left == 0, !hasFailed else { return -1 }
        for y in area.top..<area.top + area.height {
            // libvips made room for the whole width of every row of the area.
            let row = UnsafeMutableRawBufferPointer(
                start: thimble_region_row(region, y), count: rowBytes)
            guard writeRow(row) else {
                hasFailed = true
                return -1
            }
        }
        next += Int(area.height)
        return 0
    }
}
