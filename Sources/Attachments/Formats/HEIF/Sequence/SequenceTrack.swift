internal import AttachmentContainer
internal import AttachmentModel

/// Track of an image sequence with its samples (ISO/IEC 14496-12, 8.3 to 8.7; 23008-12, 7).
struct SequenceTrack {
    /// File range of a coded frame.
    typealias Sample = Range<Int>

    /// Frame in the order in which frames are shown.
    struct Frame {
        /// Index in decoding order.
        let sample: Int
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
    /// In decoding order.
    let samples: [Sample]
    let frames: [Frame]
    /// Number of plays; nil for endless, and if the file states none.
    let plays: Int?

    var extents: [Range<Int>] { samples.first.map { [$0] } ?? [] }

    /// End of the coded bytes of the frame at an index.
    func end(ofFrame index: Int) -> Int { samples[frames[index].sample].upperBound }

    /// Largest number of frames that wait while frames shown before them are decoded.
    var reordering: Int {
        var isShown = Array(repeating: false, count: samples.count)
        for frame in frames { isShown[frame.sample] = true }
        var (decoded, waiting, most) = (0, 0, 0)
        for frame in frames {
            while decoded <= frame.sample {
                if isShown[decoded] { waiting += 1 }
                decoded += 1
            }
            waiting -= 1
            most = max(most, waiting)
        }
        return most
    }

    /// `movieTimescale` is the number of ticks a second of the edit list.
    init(_ track: Box, movieTimescale: Int) throws(HeaderFault) {
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
        let timescale = Int(try payload.uint32())
        let list = try track.first("edts")?.first("elst")?.payload
        let sampleTable = try SampleTable(table)
        samples = sampleTable.samples
        let edit = try list.map { (list) throws(HeaderFault) in
            try EditedTimes(list, timescale: timescale, movieTimescale: movieTimescale)
        }
        frames = sampleTable.times.frames(in: edit ?? EditedTimes(), timescale: timescale)
        plays = try list.flatMap { (list) throws(HeaderFault) in
            try Self.plays(list, duration: placement.duration)
        }
    }

    private static func reference(_ type: FourCC, of track: Box) throws(HeaderFault) -> UInt32? {
        guard var target = try track.first("tref")?.first(type)?.payload else { return nil }
        return try target.uint32()
    }

    /// Plays from an edit list that repeats (8.6.6).
    private static func plays(_ list: Cursor, duration: Int?) throws(HeaderFault) -> Int? {
        var list = list
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
