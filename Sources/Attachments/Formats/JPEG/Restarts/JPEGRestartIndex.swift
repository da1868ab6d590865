import AttachmentContainer
package import AttachmentModel

/// Places of the segments and of the groups between restart markers in a file without any fault of
/// structure.
///
/// Only for baseline pictures whose markers are complete and in order. All others have no index, so
/// that one decoder judges them.
package struct JPEGRestartIndex: Sendable {
    /// Limit on the runs of segments that are passed on; files have one or two.
    private static let mostRuns = 64

    package let groups: JPEGRestartGroups
    /// Bytes up to the first scan's data, without metadata that libjpeg ignores.
    private(set) var header: [(range: Range<Int>, isProfile: Bool)] = []
    /// First byte of each group after its marker, and the end of the last group, after the end marker.
    let starts: [Int]

    /// Reads the whole file once; nil if the picture is to be left to one decoder.
    package init?(
        _ file: OpenFile, of header: AttachmentHeader, isCancelled: () -> Bool
    ) {
        guard let coding = header.coding as? JPEGCoding,
            let groups = coding.restartGroups(of: header)
        else { return nil }
        self.groups = groups
        do throws(DecodingFault) {
            var reader = JPEGSegmentReader(file)
            guard
                let segments = try Self.segments(
                    in: &reader, size: header.storedSize, interval: coding.restartInterval),
                let starts = try Self.starts(of: groups, in: &reader, isCancelled: isCancelled)
            else { return nil }
            (self.header, self.starts) = (segments, starts)
        } catch {
            return nil
        }
    }

    /// Reads up to the data of a scan of all components.
    private static func segments(
        in reader: inout JPEGSegmentReader, size: PixelSize, interval: Int
    ) throws(DecodingFault) -> [(range: Range<Int>, isProfile: Bool)]? {
        var found = (size: PixelSize?.none, components: 0, interval: 0, profileBytes: 0)
        var runs: [(range: Range<Int>, isProfile: Bool)] = []
        try reader.startOfImage()
        runs.append((0..<reader.offset, false))
        while let marker = try reader.nextMarker(), !reader.hasStrayBytes {
            let start = reader.offset - 2
            var isProfile = false
            switch marker {
            case JPEGMarker.baselineFrame, JPEGMarker.sequentialFrame:
                guard found.size == nil else { return nil }
                let frame = try JPEGFrameHeader(try reader.segment(), marker: marker)
                found.size = PixelSize(width: frame.width, height: frame.height)
                found.components = frame.components.count
            case JPEGMarker.restartInterval:
                var segment = try reader.segment()
                found.interval = try segment.uint16()
                guard segment.isAtEnd else { return nil }
            case JPEGMarker.startOfScan:
                var segment = try reader.segment()
                guard Int(try segment.uint8()) == found.components, found.size == size,
                    found.interval == interval
                else { return nil }
            case 0xE2:
                let segment = try reader.segment()
                var start = segment
                isProfile =
                    (try? start.bytes(JPEGMarker.longestIdentifier))
                    .map { JPEGMarker.affectsColour(marker, $0) } ?? false
                guard isProfile else { continue }
                found.profileBytes += reader.offset - segment.offset
                // One decoder ignores a profile that is too long.
                guard found.profileBytes <= ColourProfile.ceiling else { return nil }
            case JPEGMarker.applications, JPEGMarker.comment:
                try reader.skipSegment()
                guard [0xE0, 0xEE].contains(marker) else { continue }
            case JPEGMarker.quantisationTables, JPEGMarker.huffmanTables:
                try reader.skipSegment()
            default:
                return nil
            }
            let range = start..<reader.offset
            if let last = runs.last, last.range.upperBound == start, last.isProfile == isProfile {
                runs[runs.count - 1].range = last.range.lowerBound..<range.upperBound
            } else {
                runs.append((range, isProfile))
            }
            if marker == JPEGMarker.startOfScan { return runs }
            guard runs.count < Self.mostRuns else { return nil }
        }
        return nil
    }

    /// Finds every marker of the scan; nil unless they are the expected ones.
    private static func starts(
        of groups: JPEGRestartGroups, in reader: inout JPEGSegmentReader, isCancelled: () -> Bool
    ) throws(DecodingFault) -> [Int]? {
        var starts = [reader.offset]
        starts.reserveCapacity(groups.count + 1)
        for interval in 1..<groups.allIntervals {
            guard let marker = try reader.nextMarker(),
                marker == JPEGMarker.restarts.lowerBound + UInt8((interval - 1) & 7)
            else { return nil }
            guard interval % groups.intervals == 0 else { continue }
            starts.append(reader.offset)
            guard !isCancelled() else { return nil }
        }
        guard try reader.nextMarker() == JPEGMarker.endOfImage else { return nil }
        starts.append(reader.offset)
        return starts
    }
}
