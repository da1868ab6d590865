internal import AttachmentContainer
internal import AttachmentModel

/// Parser for JPEG headers: the segments up to the first scan (ITU-T T.81, annex B).
struct JPEGProbe {
    private var frame: JPEGFrame?
    private var orientation: Orientation?
    private var preview: EmbeddedPreview?
    private var profileBytes = 0
    private var hasMetadata = false
    private var hasJFIF = false
    private var adobeTransform: UInt8?
    private var quality: JPEGQuality?
    private var restartInterval = 0
    private var gainMap = JPEGGainMapSearch()
    private let isThumbnail: Bool

    private init(isThumbnail: Bool) { self.isThumbnail = isThumbnail }

    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        try header(Cursor(reader, from: 0))
    }

    /// A thumbnail's own Exif is ignored, because nested thumbnails would overflow the stack.
    static func header(
        _ section: Cursor, isThumbnail: Bool = false
    ) throws(HeaderFault) -> AttachmentHeader {
        var probe = JPEGProbe(isThumbnail: isThumbnail)
        var cursor = section
        try cursor.skip(2)
        while true {
            let marker = try cursor.jpegMarker()
            switch marker {
            case 0x01, 0xD0...0xD7:  // TEM and RSTn have no segment.
                continue
            case 0xD8, 0xD9:
                throw .corrupt("a JPEG without a scan", at: cursor.offset - 2)
            default:
                var segment = try cursor.jpegSegment()
                guard marker == 0xDA else {
                    try probe.read(&segment, marker: marker)
                    continue
                }
                return try probe.header(firstScan: &segment)
            }
        }
    }

    private mutating func read(_ segment: inout Cursor, marker: UInt8) throws(HeaderFault) {
        switch marker {
        case 0xC4, 0xCC:  // DHT and DAC lie within the range of frame markers.
            break
        case 0xC0...0xCF, 0xDE:
            guard frame == nil else { throw .corrupt("a second frame", at: segment.offset - 4) }
            frame = try JPEGFrame(&segment, marker: marker)
        case 0xE0...0xEF:
            try readApplication(&segment, number: marker - 0xE0)
        case JPEGMarker.quantisationTables:
            try readTables(&segment)
        case JPEGMarker.restartInterval:
            if segment.remaining == 2 { restartInterval = Int(try segment.uint16()) }
        case 0xFE:  // COM
            hasMetadata = true
        default:
            break
        }
    }

    /// Reads the first luminance table (T.81, B.2.4.1).
    private mutating func readTables(_ segment: inout Cursor) throws(HeaderFault) {
        while segment.remaining > 64, quality == nil {
            let kind = try segment.uint8()
            let isWide = kind >> 4 == 1
            guard !isWide || segment.remaining >= 128 else { return }
            var steps: [Int] = []
            for _ in 0..<64 {
                steps.append(Int(isWide ? try segment.uint16() : UInt16(try segment.uint8())))
            }
            // Decoders take the first component's table, by convention number 0.
            if kind & 15 == 0 { quality = JPEGQuality(luma: steps) }
        }
    }

    private mutating func readApplication(
        _ segment: inout Cursor, number: UInt8
    ) throws(HeaderFault) {
        // JFIF 1.02 without a thumbnail contains no metadata.
        if number == 0, try segment.starts(with: "JFIF\0") {
            hasJFIF = true
            hasMetadata = hasMetadata || segment.remaining > 14
            return
        }
        // T.872, 6.5.3: version, two words of flags, transform.
        if number == 14, segment.remaining >= 12, try segment.starts(with: "Adobe") {
            try segment.skip(11)
            adobeTransform = try segment.uint8()
            return
        }
        hasMetadata = true
        if number == 1, !isThumbnail, orientation == nil, try segment.starts(with: "Exif\0") {
            orientation = Orientation(exif: segment)
            preview = EmbeddedPreview(exif: segment)
        }
        if !isThumbnail { try gainMap.add(segment, number: number) }
        // ICC.1:2022, B.4: identifier, chunk number, number of chunks.
        if number == 2, try segment.starts(with: "ICC_PROFILE\0") {
            profileBytes += max(segment.remaining - 14, 0)
        }
    }

    private func header(firstScan scan: inout Cursor) throws(HeaderFault) -> AttachmentHeader {
        guard let frame else { throw .corrupt("a scan before its frame", at: scan.offset) }
        let scanned = Int(try scan.uint8())
        guard (1...frame.sampling.count).contains(scanned) else {
            throw .corrupt("a scan of \(scanned) components", at: scan.offset - 1)
        }
        let isInterleaved = scanned == frame.sampling.count
        let process: JPEGCoding.Process =
            switch frame.process {
            case .sequential: isInterleaved ? .baseline : .nonInterleaved
            case .progressive: .progressive
            case .arithmetic: .arithmetic
            }
        let sampling = JPEGSampling(frame.sampling, isYCbCr: isYCbCr(frame))
        return AttachmentHeader(
            JPEGCoding(
                process, sampling, quality: quality?.value, tables: quality?.family ?? .standard,
                restartInterval: restartInterval),
            storedSize: frame.size, orientation: orientation ?? .upright,
            colourModel: frame.colourModel,
            profileBytes: profileBytes, hasMetadata: hasMetadata,
            preview: preview, gainMap: gainMap.kind(in: scan.reader),
            fileBytes: ByteCount(scan.reader.length))
    }

    /// True for three components that decoders take for YCbCr, by the same precedence.
    private func isYCbCr(_ frame: JPEGFrame) -> Bool {
        guard frame.sampling.count == 3 else { return false }
        if hasJFIF { return true }
        if let adobeTransform { return adobeTransform != 0 }
        return frame.identifiers != Array("RGB".utf8)
    }
}

extension PictureFormat {
    package static let jpeg = PictureFormat("\u{FF}\u{D8}", probe: JPEGProbe.header)
}
