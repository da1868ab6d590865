internal import AttachmentContainer
internal import AttachmentModel

/// Parser for the `moov` box (ISO/IEC 14496-12, clause 8; Apple, "QuickTime File Format").
struct MovieProbe {
    private static let maximumTracks = 64

    private var header: MovieHeader?
    private var tracks: [MovieTrack] = []
    /// True if fragments may follow, unknown to the movie's header (ISO/IEC 14496-12, 8.8.1).
    private var isFragmented = false
    private var fragmentDuration: Int?

    /// Unsupported if it is sound that MPEG-4 does not support; movies then state the obstacle.
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> MediaHeader {
        var boxes = BoxSequence(Cursor(reader, from: 0))
        var brands = MovieBrands.quickTime
        var probe: MovieProbe?
        while probe == nil, let box = try boxes.next() {
            switch box.type {
            case "ftyp": brands = try MovieBrands(FileType(box))
            case "moov": probe = try MovieProbe(box)
            default: break
            }
        }
        guard let probe else { throw .truncated(at: reader.length) }
        return try probe.header(brands, endsEarly: isTruncated(&boxes), fileBytes: reader.length)
    }

    /// True if the file ends before the boxes after the `moov` box, which hold the media data.
    ///
    /// A file beyond the box limit counts as complete. A trailing part of a box header is ignored.
    private static func isTruncated(_ boxes: inout BoxSequence) throws(HeaderFault) -> Bool {
        do throws(HeaderFault) {
            while boxes.remaining >= 8, try boxes.next() != nil {}
            return false
        } catch {
            if case .truncated = error { return true }
            if case .unreadable = error { throw error }
            return false
        }
    }

    private init(_ movie: Box) throws(HeaderFault) {
        var boxes = BoxSequence(movie.payload)
        while let box = try boxes.next() {
            switch box.type {
            case "mvhd": header = try MovieHeader(box)
            case "trak" where tracks.count < Self.maximumTracks:
                if let track = try MovieTrack(box) { tracks.append(track) }
            case "mvex":
                isFragmented = true
                fragmentDuration = try Self.fragmentDuration(box)
            default: break
            }
        }
        guard header != nil, !tracks.isEmpty else {
            throw .corrupt("a movie without sound or pictures", at: movie.start)
        }
    }

    private func header(
        _ brands: MovieBrands, endsEarly: Bool, fileBytes: Int
    ) throws(HeaderFault) -> MediaHeader {
        // Pictures in a sound file are chapter images or cover art.
        let video = brands == .sound ? nil : tracks.first { $0.kind == .movie }
        let shown = video ?? tracks.first { $0.kind == .sound }
        guard let shown else {
            throw .unsupported("a movie whose only track is '\(tracks[0].handler)'")
        }
        for track in tracks where track.isProtected {
            throw .unsupported("it is copy-protected")
        }
        let obstacle = brands == .quickTime ? obstacle : nil
        if let obstacle, video == nil { throw .unsupported(obstacle) }
        return MediaHeader(
            format: brands == .quickTime ? .quickTime : .mpeg4,
            type: video == nil ? .mpeg4Audio : .mpeg4, coding: shown.coding.description,
            duration: duration, size: video?.size, obstacle: obstacle,
            endsEarly: endsEarly, fileBytes: ByteCount(fileBytes))
    }

    private var obstacle: String? {
        tracks.first { $0.kind != nil && !$0.isMPEG4 }.map {
            "a QuickTime movie coded as '\($0.coding)', which MPEG-4 does not support"
        }
    }

    private var duration: Double? {
        guard let header, header.timescale > 0 else { return nil }
        let units = isFragmented ? fragmentDuration ?? 0 : header.duration
        return units > 0 ? Double(units) / Double(header.timescale) : nil
    }

    private static func fragmentDuration(_ extends: Box) throws(HeaderFault) -> Int? {
        guard var box = try extends.first("mehd") else { return nil }
        let isWide = try box.payload.fullBox().version == 1
        return try box.payload.duration(isWide: isWide)
    }
}

private struct MovieHeader {
    let timescale: Int
    let duration: Int

    init(_ box: Box) throws(HeaderFault) {
        var payload = box.payload
        let isWide = try payload.fullBox().version == 1
        try payload.skip(isWide ? 16 : 8)
        timescale = Int(try payload.uint32())
        duration = try payload.duration(isWide: isWide)
    }
}

enum MovieBrands {
    case sound
    case mpeg4
    /// QuickTime, including files without brands.
    case quickTime

    init(_ fileType: FileType) throws(HeaderFault) {
        if Self.soundBrands.contains(fileType.major) {
            self = .sound
        } else if fileType.major == "qt  " {
            self = .quickTime
        } else if !fileType.brands.isDisjoint(with: Self.mpeg4Brands) {
            self = .mpeg4
        } else {
            throw .unsupported("it looks like a movie (brand '\(fileType.major)')")
        }
    }

    /// iTunes music and audiobooks.
    private static let soundBrands: Set<FourCC> = ["M4A ", "M4B "]
    /// ISO/IEC 14496-12, annex E; 14496-14; 14496-15; iTunes and Sony movies; 23009-1; 23000-19.
    private static let mpeg4Brands: Set<FourCC> = [
        "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "iso7", "iso8", "iso9", "mp41", "mp42",
        "avc1", "M4V ", "M4VH", "M4VP", "MSNV", "dash", "cmfc", "cmf2",
    ]
}
