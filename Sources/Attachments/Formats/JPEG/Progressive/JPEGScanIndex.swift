import AttachmentModel

/// The scans of a file and the tables in force at each.
struct JPEGScanIndex {
    /// Limit on the scans of a file, including ignored ones; each keeps a reader of 5 KB and up to
    /// 3 KB of tables for the whole image.
    ///
    /// libjpeg's own script has 10 scans, and `cjpeg` accepts at most 100 (`rdswitch.c`:
    /// MAX_SCANS). More are left to a library, which holds all coefficients instead.
    static let maxScans = 100
    /// Limit on the blocks of all scans together where a library decodes them: 5 s of libjpeg, which
    /// passes through a block in 20 ns even if a scan says nothing of it.
    static let maxLibraryBlocks = 1 << 28

    let frame: JPEGFrameHeader
    let scans: [JPEGScan]
    /// Quantisation table of each component's first scan; any table for a component without a scan,
    /// whose coefficients are zeros.
    let quantisation: [JPEGQuantisationTable]
    let headerEnd: Int
    let neededCoefficients: [UInt64]
    /// Faults that lose no pixel.
    let faults: Set<HarmlessFault>

    /// Reads the whole file, or only the first scan if one scan is enough.
    init(_ file: OpenFile, loadShrink: Int, isTolerant: Bool) throws(DecodingFault) {
        var builder = JPEGScanIndexBuilder(
            reader: JPEGSegmentReader(file), loadShrink: loadShrink, isTolerant: isTolerant,
            tables: try JPEGTables())
        do throws(DecodingFault) {
            try builder.readAll()
            if builder.faults.contains(.missingEnd), builder.scans.count < builder.scanCount {
                // All scans are decoded, because the end of the last one may be missing too.
                builder = JPEGScanIndexBuilder(
                    reader: JPEGSegmentReader(file), loadShrink: 1, isTolerant: isTolerant,
                    tables: try JPEGTables())
                try builder.readAll()
            }
        } catch {
            // libjpeg fails here, but the scans before the damage make an image.
            guard isTolerant, builder.hasScans, [.corrupt, .truncated].contains(error.code) else {
                throw error
            }
        }
        guard let frame = builder.frame, builder.hasScans else {
            throw DecodingFault(.corrupt, at: 0, "it has no scan")
        }
        self.frame = frame
        (scans, faults) = (builder.scans, builder.faults)
        quantisation = zip(frame.components, builder.quantisation).map { component, latched in
            latched ?? builder.tables.quantisation[component.quantisation] ?? .ones
        }
        headerEnd = builder.headerEnd
        neededCoefficients = builder.neededCoefficients
        guard isTolerant || builder.quantisation.allSatisfy({ $0 != nil }) else {
            throw DecodingFault(.corrupt, at: file.length, "a component has no scan")
        }
    }
}

private struct JPEGScanIndexBuilder: ~Copyable {
    var reader: JPEGSegmentReader
    let loadShrink: Int
    let isTolerant: Bool
    var tables: JPEGTables
    var progression = JPEGProgression()
    var scanCount = 0
    var frame: JPEGFrameHeader?
    var scans: [JPEGScan] = []
    var quantisation: [JPEGQuantisationTable?] = []
    var headerEnd = 0
    var neededCoefficients: [UInt64] = []
    var faults: Set<HarmlessFault> = []

    var hasScans: Bool { scanCount > 0 }

    mutating func readAll() throws(DecodingFault) {
        try reader.startOfImage()
        var marker = try reader.nextMarker()
        while marker != JPEGMarker.endOfImage {
            guard let found = marker else {
                guard isComplete else { throw reader.endOfFile() }
                faults.insert(.missingEnd)
                break
            }
            if found == JPEGMarker.startOfScan {
                if scanCount == 0 { headerEnd = reader.offset - 2 }
                if try readScanHeader() { return }
                marker = try reader.markerAfterScan(hasRestarts: tables.restartInterval > 0)
            } else {
                try readSegment(found)
                marker = try reader.nextMarker()
            }
        }
        guard hasScans else { throw DecodingFault(.corrupt, at: reader.offset, "it has no scan") }
        if reader.hasStrayBytes { faults.insert(.strayBytes) }
        guard scanCount <= JPEGScanIndex.maxScans else {
            throw DecodingFault(
                .unsupported, at: reader.offset, "it has more than \(JPEGScanIndex.maxScans) scans")
        }
    }

    /// True if no scan can follow, according to the headers.
    private var isComplete: Bool {
        guard let frame, hasScans, quantisation.allSatisfy({ $0 != nil }) else { return false }
        return frame.process == .sequential
            || progression.isComplete(components: frame.components.count)
    }

    private mutating func readSegment(_ marker: UInt8) throws(DecodingFault) {
        switch marker {
        case JPEGMarker.temporary, JPEGMarker.restarts:
            break
        case _ where JPEGMarker.isFrame(marker):
            let segment = try reader.segment()
            guard frame == nil else { throw segment.fault(.corrupt, "it has a second frame") }
            let frame = try JPEGFrameHeader(segment, marker: marker)
            self.frame = frame
            if frame.hasRepeatedIdentifiers { faults.insert(.repeatedComponents) }
            quantisation = Array(repeating: nil, count: frame.components.count)
            neededCoefficients = JPEGReducedTransform.neededCoefficients(
                of: frame, loadShrink: loadShrink)
        case JPEGMarker.huffmanTables, JPEGMarker.quantisationTables, JPEGMarker.restartInterval:
            try tables.define(try reader.segment(), marker: marker)
        case JPEGMarker.applications, JPEGMarker.comment, JPEGMarker.numberOfLines,
            JPEGMarker.arithmeticConditioning:
            // As in libjpeg, the height of the frame header takes precedence over a DNL segment.
            try reader.skipSegment()
        default:
            throw DecodingFault(
                .corrupt, at: reader.offset - 2,
                "there is an unexpected marker 0xFF\(String(marker, radix: 16))")
        }
    }

    /// Reads a scan header and keeps a needed scan; true if later scans are irrelevant.
    private mutating func readScanHeader() throws(DecodingFault) -> Bool {
        let segment = try reader.segment()
        guard let frame else { throw segment.fault(.corrupt, "a scan comes before its frame") }
        let header = try JPEGScanHeader(segment, of: frame)
        let pass = header.pass(in: frame.process)
        if header.hasWrongParameters { faults.insert(.scanParameters) }
        guard scanCount < JPEGScanIndex.maxScans else {
            scanCount += 1
            guard scanCount * frame.blockCount <= JPEGScanIndex.maxLibraryBlocks else {
                throw segment.fault(.limit, "it has \(scanCount) scans or more")
            }
            return false
        }
        if scanCount == 0, frame.process == .sequential { tables.defineStandardTables() }
        var components: [JPEGScan.Component] = []
        for component in header.components {
            components.append(try tables.component(component, for: pass, at: segment.offset))
            if quantisation[component.index] == nil {
                quantisation[component.index] = try tables.quantisationTable(
                    frame.components[component.index].quantisation, at: segment.offset)
            }
            if frame.process == .progressive,
                !progression.advances(header, component: component.index), !isTolerant
            {
                throw segment.fault(.corrupt, "a scan does not continue where earlier scans ended")
            }
        }
        scanCount += 1
        // Unread coefficients affect no others, so their AC scans are skipped. Within its band, any
        // other scan of the component is DC or skipped as well.
        let isAC = pass == .acFirst || pass == .acRefinement
        if !isAC || neededCoefficients[components[0].index] != 1 {
            scans.append(
                JPEGScan(
                    pass: pass, components: components,
                    band: pass == .sequential ? 0...63 : header.first...header.last,
                    shift: header.low, restartInterval: tables.restartInterval,
                    start: reader.offset))
        }
        // libjpeg treats a sequential file with a complete first scan as a single-scan file.
        let isWhole =
            frame.process == .sequential && scanCount == 1
            && components.count == frame.components.count
        if isWhole, reader.hasStrayBytes { faults.insert(.strayBytes) }
        return isWhole
    }
}

/// Progress of each coefficient's bits (T.81, G.1.1.1).
private struct JPEGProgression {
    /// Lowest bit coded so far, for four components; nil before the first scan.
    private var bits: [Int?] = Array(repeating: nil, count: 4 * 64)

    /// True if all bits of all coefficients are coded.
    func isComplete(components: Int) -> Bool {
        bits.prefix(components * 64).allSatisfy { $0 == 0 }
    }

    /// Records a scan; true if it continues where earlier scans ended, and DC came before AC.
    mutating func advances(_ header: JPEGScanHeader, component: Int) -> Bool {
        var isLegal = header.first == 0 || bits[component * 64] != nil
        for position in header.first...header.last {
            isLegal = isLegal && header.high == bits[component * 64 + position] ?? 0
            bits[component * 64 + position] = header.low
        }
        return isLegal
    }
}
