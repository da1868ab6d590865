internal import AttachmentContainer
internal import AttachmentModel

/// Visual sample entry of an image sequence (ISO/IEC 14496-12, 12.1.3).
struct SequenceDescription {
    let isAV1: Bool
    let size: PixelSize
    /// File range of the codec's record.
    let configuration: Range<Int>
    let codec: CodecConfiguration
    let colours: CodedColours?
    let profile: Range<Int>?
    let isAlpha: Bool

    init(_ descriptions: Box) throws(HeaderFault) {
        var payload = descriptions.payload
        try payload.skip(4)
        guard try payload.uint32() == 1 else {
            throw .unsupported("an image sequence of several codings")
        }
        var entries = BoxSequence(payload)
        // The parameter sets of `hev1` may also be in the samples (ISO/IEC 14496-15, 8.4.1).
        guard var entry = try entries.next(), ["av01", "hvc1", "hev1"].contains(entry.type) else {
            throw .unsupported("an image sequence of another coding than AV1 and HEVC")
        }
        isAV1 = entry.type == "av01"
        try entry.payload.skip(24)
        size = try PixelSize(
            claimed: Int(try entry.payload.uint16()), Int(try entry.payload.uint16()))
        try entry.payload.skip(50)
        var properties: [ItemProperty] = []
        var isAlpha = false
        var boxes = BoxSequence(entry.payload)
        while var box = try boxes.next() {
            if box.type == "clap" { throw .unsupported("an image sequence with a crop") }
            guard box.type == "auxi" else {
                properties.append(try ItemProperty(box))
                continue
            }
            _ = try box.payload.fullBox()
            isAlpha = try box.payload.starts(
                with: "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0",
                "urn:mpeg:hevc:2015:auxid:1\0")
        }
        let item = Item(
            identifier: 1, type: entry.type, properties: properties, unknownEssential: nil)
        guard let codec = item.codec, let record = item.codecRecord else {
            throw .corrupt("an image sequence without its configuration", at: entry.start)
        }
        (self.codec, configuration, self.isAlpha) = (codec, record, isAlpha)
        (colours, profile) = (item.colours, item.profile)
    }
}
