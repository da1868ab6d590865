internal import AttachmentContainer
internal import AttachmentModel

/// Track of an image sequence with its samples (ISO/IEC 14496-12, 8.3 to 8.7; 23008-12, 7).
struct SequenceTrack {
    struct Sample {
        let bytes: Range<Int>
        let milliseconds: Int
    }

    let identifier: UInt32
    let handler: FourCC
    /// Track whose alpha this one has; nil for other tracks.
    let alphaOf: UInt32?
    /// Alpha track whose samples are multiplied into the colours of this one.
    let premultipliedBy: UInt32?
    let isUpright: Bool
    let description: SequenceDescription
    let samples: [Sample]
    /// Number of plays; nil for endless, and if the file states none.
    let plays: Int?

    var extents: [Range<Int>] { samples.first.map { [$0.bytes] } ?? [] }

    init(_ track: Box) throws(HeaderFault) {
        guard let head = try track.first("tkhd"), let media = try track.first("mdia"),
            let handler = try media.first("hdlr"), let times = try media.first("mdhd"),
            let table = try media.first("minf")?.first("stbl"),
            let descriptions = try table.first("stsd")
        else { throw .corrupt("a track without its tables", at: track.start) }
        let placement = try TrackPlacement(head)
        (identifier, isUpright) = (placement.identifier, placement.isUpright)
        var payload = handler.payload
        try payload.skip(8)
        self.handler = try payload.fourCC()
        description = try SequenceDescription(descriptions)
        alphaOf =
            description.isAlpha ? try Self.reference("auxl", of: track) : nil
        premultipliedBy = try Self.reference("prem", of: track)
        payload = times.payload
        let isWide = try payload.fullBox().version == 1
        try payload.skip(isWide ? 16 : 8)
        samples = try SampleTable(table, timescale: Int(try payload.uint32())).samples
        plays = try Self.plays(track, duration: placement.duration)
    }

    private static func reference(_ type: FourCC, of track: Box) throws(HeaderFault) -> UInt32? {
        guard var target = try track.first("tref")?.first(type)?.payload else { return nil }
        return try target.uint32()
    }

    /// Plays from an edit list that repeats (8.6.6).
    private static func plays(_ track: Box, duration: Int?) throws(HeaderFault) -> Int? {
        guard var list = try track.first("edts")?.first("elst")?.payload else { return nil }
        let (version, flags) = try list.fullBox()
        guard try list.uint32() == 1, flags & 1 == 1, let duration else { return nil }
        let segment = version == 1 ? Int(clamping: try list.uint64()) : Int(try list.uint32())
        return segment > 0 ? max(1, duration / segment) : nil
    }
}

/// Fields of a track header (ISO/IEC 14496-12, 8.3.2).
private struct TrackPlacement {
    let identifier: UInt32
    /// Nil if unknown.
    let duration: Int?
    let isUpright: Bool

    private static let identity: [UInt32] = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30]

    init(_ box: Box) throws(HeaderFault) {
        var payload = box.payload
        let isWide = try payload.fullBox().version == 1
        try payload.skip(isWide ? 16 : 8)
        identifier = try payload.uint32()
        try payload.skip(4)
        let stated = isWide ? try payload.uint64() : UInt64(try payload.uint32())
        duration = stated == (isWide ? .max : UInt64(UInt32.max)) ? nil : Int(clamping: stated)
        // Two reserved fields, layer, group, volume and a reserved field.
        try payload.skip(16)
        var matrix: [UInt32] = []
        for _ in 0..<9 { matrix.append(try payload.uint32()) }
        isUpright = matrix == Self.identity
    }
}
