internal import AttachmentContainer
internal import AttachmentModel

/// Property of an item (ISO/IEC 23008-12, 6.5).
enum ItemProperty {
    case extents(PixelSize)
    /// `irot`: counterclockwise quarter turns, 0 to 3.
    case rotation(quarterTurns: Int)
    /// `imir`: mirrors left to right, otherwise top to bottom.
    case mirror(leftToRight: Bool)
    /// `clap`.
    case cleanAperture(CleanAperture)
    /// `colr` of type `prof` or `rICC`: file range of the ICC profile.
    case profile(Range<Int>)
    /// `colr` of type `nclx`.
    case colours(CodedColours)
    /// `hvcC` or `av1C`: codec configuration, with the file range of its record.
    case codec(CodecConfiguration, record: Range<Int>)
    /// `auxC`: the item is the alpha plane of another.
    case alphaPlane
    /// `auxC`: the item is the gain map of another.
    case gainMap(GainMapKind)
    case description
    case unknown(FourCC)

    /// Descriptive types (23008-12, 6.5; 14496-12, 12.1; MIAF; AV1 in ISOBMFF 1.3, section 2).
    private static let descriptions: Set<FourCC> = [
        "pixi", "pasp", "rloc", "udes", "altt", "clli", "mdcv", "cclv", "amve", "reve", "ndwt",
        "crtt", "mdft", "aebr", "wbbr", "fobr", "afbr", "dobr", "a1lx", "cmin", "cmex", "free",
        "skip",
    ]

    init(_ box: Box) throws(HeaderFault) {
        var payload = box.payload
        switch box.type {
        case "ispe":
            _ = try payload.fullBox()
            self = .extents(
                try PixelSize(claimed: Int(try payload.uint32()), Int(try payload.uint32())))
        case "irot":
            self = .rotation(quarterTurns: Int(try payload.uint8() & 3))
        case "imir":
            self = .mirror(leftToRight: try payload.uint8() & 1 == 1)
        case "clap":
            self = .cleanAperture(try CleanAperture(&payload))
        case "colr":
            switch try payload.fourCC() {
            case "prof", "rICC": self = .profile(payload.offset..<payload.end)
            case "nclx": self = .colours(try CodedColours(&payload))
            default: self = .description
            }
        case "hvcC", "av1C":
            let record = payload.offset..<payload.end
            let configuration =
                box.type == "hvcC"
                ? try CodecConfiguration(hevc: &payload) : try CodecConfiguration(av1: &payload)
            self = .codec(configuration, record: record)
        case "auxC":
            _ = try payload.fullBox()
            self = try Self.auxiliary(payload)
        default:
            self = Self.descriptions.contains(box.type) ? .description : .unknown(box.type)
        }
    }

    /// Type of an auxiliary picture, by the URN at the cursor (23008-12, 6.5.8).
    private static func auxiliary(_ type: Cursor) throws(HeaderFault) -> ItemProperty {
        // The general URN, and the earlier one of HEVC.
        if try type.starts(
            with: "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0", "urn:mpeg:hevc:2015:auxid:1\0")
        {
            return .alphaPlane
        }
        for (name, kind) in [
            (GainMapKind.appleName, .apple), (GainMapKind.samsungName, .ultraHDR),
            (GainMapKind.isoName, .iso),
        ] as [(String, GainMapKind)] where try type.starts(with: name + "\0") {
            return .gainMap(kind)
        }
        return .description
    }
}
