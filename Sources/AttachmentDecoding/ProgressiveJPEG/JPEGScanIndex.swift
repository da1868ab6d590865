/// Where the scans of a file are, and what is in force at each of them.
struct JPEGScanIndex {
    /// The most scans that a file may have, dropped ones among them.
    ///
    /// Each keeps a reader through the whole picture: 5 KB, and up to 3 KB of tables. libjpeg's own
    /// script has 10 scans, and `cjpeg` takes no script of more than 100 (`rdswitch.c`: MAX_SCANS).
    /// Measured with 100 scans: 0.95 MB at 12 MP.
    static let mostScans = 100

    /// The frame.
    let frame: JPEGFrameHeader
    /// The scans that the picture needs, in the order of the file.
    let scans: [JPEGScan]
    /// For each component the quantisation table that its first scan found, or, without a scan,
    /// any: its coefficients are zeros.
    let quantisation: [JPEGQuantisationTable]
    /// Where the first scan header begins, in bytes from the start of the file.
    let headerEnd: Int
    /// For each component which coefficients are read at the scale of the picture.
    let neededCoefficients: [UInt64]

    /// Reads a file from its start to its end, or to the end of its first scan where that is all.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading.
    ///   - length: What it holds, in bytes.
    ///   - loadShrink: The divisor that the picture is decoded at.
    ///   - isTolerant: Whether what can be read before damage is enough.
    /// - Throws: `DecodingFault`.
    init(
        descriptor: CInt, length: Int, loadShrink: Int, isTolerant: Bool
    ) throws(DecodingFault) {
        var builder = try JPEGScanIndexBuilder(
            descriptor: descriptor, length: length, loadShrink: loadShrink, isTolerant: isTolerant)
        do throws(DecodingFault) {
            try builder.readAll()
        } catch {
            // libjpeg gives nothing here; the scans before the damage are a picture all the same.
            guard isTolerant, builder.hasScans, [.corrupt, .truncated].contains(error.code) else {
                throw error
            }
        }
        guard let frame = builder.frame, builder.hasScans else {
            throw DecodingFault(.corrupt, at: 0, "it has no scan")
        }
        self.frame = frame
        scans = builder.scans
        quantisation = zip(frame.components, builder.quantisation).map { component, latched in
            latched ?? builder.tables.quantisation[component.quantisation] ?? .ones
        }
        headerEnd = builder.headerEnd
        neededCoefficients = builder.neededCoefficients
        guard isTolerant || builder.quantisation.allSatisfy({ $0 != nil }) else {
            throw DecodingFault(.corrupt, at: length, "a component has no scan")
        }
    }
}

/// Reads a file for its scans.
private struct JPEGScanIndexBuilder: ~Copyable {
    private var reader: JPEGSegmentReader
    private let loadShrink: Int
    private let isTolerant: Bool
    private(set) var tables: JPEGTables
    private var progression = JPEGProgression()
    private var scanCount = 0
    private(set) var frame: JPEGFrameHeader?
    private(set) var scans: [JPEGScan] = []
    /// What the first scans found; nil for components without a scan.
    private(set) var quantisation: [JPEGQuantisationTable?] = []
    private(set) var headerEnd = 0
    private(set) var neededCoefficients: [UInt64] = []

    init(
        descriptor: CInt, length: Int, loadShrink: Int, isTolerant: Bool
    ) throws(DecodingFault) {
        reader = JPEGSegmentReader(descriptor: descriptor, length: length)
        self.loadShrink = loadShrink
        self.isTolerant = isTolerant
        tables = try JPEGTables()
    }

    var hasScans: Bool { scanCount > 0 }

    mutating func readAll() throws(DecodingFault) {
        try reader.startOfImage()
        var marker = try reader.nextMarker()
        while marker != JPEGMarker.endOfImage {
            guard let found = marker else { throw reader.endOfFile() }
            if found == JPEGMarker.startOfScan {
                if scanCount == 0 { headerEnd = reader.offset - 2 }
                if try readScanHeader() { return }
                marker = try reader.markerBehindScan(hasRestarts: tables.restartInterval > 0)
            } else {
                try readSegment(found)
                marker = try reader.nextMarker()
            }
        }
        guard hasScans else { throw DecodingFault(.corrupt, at: reader.offset, "it has no scan") }
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
            quantisation = Array(repeating: nil, count: frame.components.count)
            neededCoefficients = JPEGReducedTransform.neededCoefficients(
                of: frame, loadShrink: loadShrink)
        case JPEGMarker.huffmanTables, JPEGMarker.quantisationTables, JPEGMarker.restartInterval:
            try tables.define(try reader.segment(), marker: marker)
        case JPEGMarker.applications, JPEGMarker.comment, JPEGMarker.numberOfLines,
            JPEGMarker.arithmeticConditioning:
            // A height in the frame header counts, whatever a DNL segment says, as for libjpeg.
            try reader.skipSegment()
        default:
            throw DecodingFault(
                .corrupt, at: reader.offset - 2,
                "there is a marker 0xFF\(String(marker, radix: 16))")
        }
    }

    /// Reads a scan header and keeps the scan.
    ///
    /// - Returns: Whether it is the last scan that counts.
    private mutating func readScanHeader() throws(DecodingFault) -> Bool {
        let segment = try reader.segment()
        guard let frame else { throw segment.fault(.corrupt, "a scan comes before its frame") }
        let header = try JPEGScanHeader(segment, of: frame)
        let pass = header.pass(in: frame.process)
        guard scanCount < JPEGScanIndex.mostScans else {
            throw segment.fault(.overCeiling, "it has more than \(JPEGScanIndex.mostScans) scans")
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
                throw segment.fault(.corrupt, "a scan does not go on where the scans before ended")
            }
        }
        scanCount += 1
        // Scans of coefficients that are not read change nothing that is: other scans of the same
        // component are, in data that keep to their bands, all of them dropped or of DC.
        let isAC = pass == .acFirst || pass == .acRefinement
        if !isAC || neededCoefficients[components[0].index] != 1 {
            scans.append(
                JPEGScan(
                    pass: pass, components: components,
                    band: pass == .sequential ? 0...63 : header.first...header.last,
                    shift: header.low, restartInterval: tables.restartInterval,
                    start: reader.offset))
        }
        // libjpeg takes a sequential file whose first scan is complete for one of a single scan.
        return frame.process == .sequential && scanCount == 1
            && components.count == frame.components.count
    }
}

/// How far the bits of all coefficients have come (T.81, G.1.1.1).
private struct JPEGProgression {
    /// The bit that the next scan goes on from, for four components; nil before the first.
    private var bits: [Int?] = Array(repeating: nil, count: 4 * 64)

    /// Takes a scan in.
    ///
    /// - Returns: Whether it goes on where the scans before ended, and DC came before AC.
    mutating func advances(_ header: JPEGScanHeader, component: Int) -> Bool {
        var isLegal = header.first == 0 || bits[component * 64] != nil
        for place in header.first...header.last {
            isLegal = isLegal && header.high == bits[component * 64 + place] ?? 0
            bits[component * 64 + place] = header.low
        }
        return isLegal
    }
}
