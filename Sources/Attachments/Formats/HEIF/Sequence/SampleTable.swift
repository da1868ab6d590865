internal import AttachmentModel

/// Places and times of a track's samples (ISO/IEC 14496-12, 8.6.1 and 8.7.3 to 8.7.5).
struct SampleTable {
    /// In decoding order.
    private(set) var samples: [SequenceTrack.Sample] = []
    private(set) var times: SampleTimes

    /// Limit on samples, above the default limit on frames of an animation.
    static let maximumSamples = 10_000

    init(_ table: Box) throws(HeaderFault) {
        guard let sizes = try table.first("stsz"), let groups = try table.first("stsc"),
            let durations = try table.first("stts")
        else { throw .corrupt("an image sequence without its samples", at: table.start) }
        let chunks: Cursor
        let isWide: Bool
        if let places = try table.first("stco") {
            (chunks, isWide) = (places.payload, false)
        } else if let places = try table.first("co64") {
            (chunks, isWide) = (places.payload, true)
        } else {
            throw .corrupt("an image sequence without its chunks", at: table.start)
        }
        times = try SampleTimes(durations.payload, offsets: table.first("ctts")?.payload)
        try read(
            lengths: Self.lengths(sizes.payload), groups.payload, chunks, isWide: isWide)
        guard !samples.isEmpty else {
            throw .corrupt("an image sequence without frames", at: table.start)
        }
    }

    private static func lengths(_ box: Cursor) throws(HeaderFault) -> [Int] {
        var box = box
        try box.skip(4)
        let (shared, count) = (Int(try box.uint32()), Int(try box.uint32()))
        guard count <= maximumSamples else {
            throw .unsupported("an image sequence of more than \(maximumSamples) frames")
        }
        guard shared == 0 else { return Array(repeating: shared, count: count) }
        var lengths: [Int] = []
        for _ in 0..<count { lengths.append(Int(try box.uint32())) }
        return lengths
    }

    /// Walks the chunks with the number of samples that their group has.
    private mutating func read(
        lengths: [Int], _ groups: Cursor, _ chunks: Cursor, isWide: Bool
    ) throws(HeaderFault) {
        var (groups, chunks) = (groups, chunks)
        try groups.skip(4)
        try chunks.skip(4)
        var remainingGroups = try groups.uint32()
        let chunkCount = try chunks.uint32()
        var (perChunk, nextGroup): (UInt32, UInt32) = (0, 1)
        for chunk in 1...max(1, chunkCount) {
            // Files may claim billions of chunks.
            guard samples.count < lengths.count else { break }
            if chunk == nextGroup, remainingGroups > 0 {
                _ = try groups.uint32()
                perChunk = try groups.uint32()
                try groups.skip(4)
                remainingGroups -= 1
                var following = groups
                nextGroup = remainingGroups > 0 ? try following.uint32() : 0
            }
            var start = isWide ? Int(clamping: try chunks.uint64()) : Int(try chunks.uint32())
            // So may chunks claim billions of samples.
            for _ in 0..<min(Int(perChunk), lengths.count - samples.count) {
                let (end, overflow) = start.addingReportingOverflow(lengths[samples.count])
                guard !overflow else {
                    throw .corrupt("a frame beyond any file", at: chunks.offset)
                }
                samples.append(start..<end)
                try times.addSample()
                start = end
            }
        }
    }
}
