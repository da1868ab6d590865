internal import AttachmentContainer

/// One thing that is said of an item (ISO/IEC 23008-12, 6.5).
enum ItemProperty {
    /// `ispe`: the size before any transformation.
    case extents(PixelSize)
    /// `irot`: quarter turns against the clock, 0 to 3.
    case rotation(quarterTurns: Int)
    /// `imir`: whether left and right change places, else top and bottom.
    case mirror(leftToRight: Bool)
    /// `clap`: what is left after cropping.
    case cleanAperture(CleanAperture)
    /// `colr` of type `prof` or `rICC`: where the ICC profile lies in the file.
    case profile(Range<Int>)
    /// `colr` of type `nclx`: what the samples mean.
    case colours(ItemColours)
    /// `hvcC` or `av1C`: how the samples are coded, and where the record that says so lies.
    case codec(CodecConfiguration, record: Range<Int>)
    /// `auxC`: the item is the alpha plane of another.
    case alphaPlane
    /// What describes the picture, and leaves its pixels as they are.
    case description
    /// What Thimble does not know.
    case unknown(FourCC)

    /// Kinds that describe (23008-12, 6.5; 14496-12, 12.1; MIAF; AV1 in ISOBMFF 1.3, section 2).
    private static let descriptions: Set<FourCC> = [
        "pixi", "pasp", "rloc", "udes", "altt", "clli", "mdcv", "cclv", "amve", "reve", "ndwt",
        "crtt", "mdft", "aebr", "wbbr", "fobr", "afbr", "dobr", "a1lx", "cmin", "cmex", "free",
        "skip",
    ]

    /// Reads a property.
    ///
    /// - Parameter box: A box in the `ipco` box.
    /// - Throws: `corrupt`, `truncated`, `noPixels`, `overBudget`, `unreadable`.
    init(_ box: Box) throws(HeaderFault) {
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
            self = .cleanAperture(try CleanAperture(&payload))
        case "colr":
            switch try payload.fourCC() {
            case "prof", "rICC": self = .profile(payload.offset..<payload.end)
            case "nclx": self = .colours(try ItemColours(&payload))
            default: self = .description
            }
        case "hvcC":
            let record = payload.offset..<payload.end
            self = .codec(try CodecConfiguration(hevc: &payload), record: record)
        case "av1C":
            let record = payload.offset..<payload.end
            self = .codec(try CodecConfiguration(av1: &payload), record: record)
        case "auxC":
            _ = try payload.fullBox()
            // In general (23008-12, 6.5.8), and as HEVC first had it.
            guard
                try payload.starts(
                    with: "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0",
                    "urn:mpeg:hevc:2015:auxid:1\0")
            else { fallthrough }
            self = .alphaPlane
        default:
            self =
                box.type == "auxC" || Self.descriptions.contains(box.type)
                ? .description : .unknown(box.type)
        }
    }
}
