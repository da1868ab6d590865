internal import AttachmentContainer

/// One thing that is said of an item (ISO/IEC 23008-12, 6.5).
enum ItemProperty {
    /// `ispe`: the size before any transformation.
    case extents(PixelSize)
    /// `irot`: quarter turns against the clock, 0 to 3.
    case rotation(quarterTurns: Int)
    /// `imir`: whether left and right change places, else top and bottom.
    case mirror(leftToRight: Bool)
    /// `clap`: the size that is left after cropping.
    case cleanAperture(PixelSize)
    /// `colr` of type `prof` or `rICC`: the length of the ICC profile.
    case profile(bytes: Int)
    /// `hvcC` or `av1C`: how the samples are coded.
    case codec(CodecConfiguration)
    /// `auxC`: the item is the alpha plane of another.
    case alphaPlane

    /// Reads a property; nil when it is of another kind.
    ///
    /// - Parameter box: A box in the `ipco` box.
    /// - Throws: `corrupt`, `truncated`, `noPixels`, `overBudget`, `unreadable`.
    init?(_ box: Box) throws(HeaderFault) {
        var payload = box.payload
        switch box.type {
        case "ispe":
            _ = try payload.fullBox()
            let (width, height) = (Int(try payload.uint32()), Int(try payload.uint32()))
            self = .extents(try PixelSize(claimed: width, height))
        case "irot":
            self = .rotation(quarterTurns: Int(try payload.uint8() & 3))
        case "imir":
            self = .mirror(leftToRight: try payload.uint8() & 1 == 1)
        case "clap":
            let width = try Self.whole(&payload)
            let height = try Self.whole(&payload)
            self = .cleanAperture(try PixelSize(claimed: width, height))
        case "colr":
            let type = try payload.fourCC()
            guard type == "prof" || type == "rICC" else { return nil }
            self = .profile(bytes: payload.remaining)
        case "hvcC":
            self = .codec(try CodecConfiguration(hevc: &payload))
        case "av1C":
            self = .codec(try CodecConfiguration(av1: &payload))
        case "auxC":
            _ = try payload.fullBox()
            // In general (23008-12, 6.5.8), and as HEVC first had it.
            guard
                try payload.starts(
                    with: "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0",
                    "urn:mpeg:hevc:2015:auxid:1\0")
            else { return nil }
            self = .alphaPlane
        default:
            return nil
        }
    }

    /// Reads a numerator and a denominator, as `clap` has them (14496-12, 12.1.4).
    private static func whole(_ cursor: inout Cursor) throws(HeaderFault) -> Int {
        let (numerator, denominator) = (Int(try cursor.uint32()), Int(try cursor.uint32()))
        guard denominator > 0 else {
            throw .corrupt("a clean aperture divided by zero", at: cursor.offset - 4)
        }
        return numerator / denominator
    }
}
