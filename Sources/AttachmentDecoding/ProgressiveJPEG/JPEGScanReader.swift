/// Decodes one scan, a row of units at a time, into the coefficients that the scans before it left.
///
/// All scans of a file go through the same row before any goes on to the next: what refinement
/// passes need to know of a block is complete in its row.
struct JPEGScanReader: ~Copyable {
    /// A component of the scan, for inner loops.
    struct Component {
        /// Where the coefficients are kept.
        let plane: JPEGCoefficientRow.Plane
        /// Blocks in a unit of this scan, across.
        let across: Int
        /// Blocks in a unit of this scan, down.
        let down: Int
        let dc: JPEGHuffmanCodes
        let ac: JPEGHuffmanCodes
    }

    let scan: JPEGScan
    let isTolerant: Bool
    /// The components of the scan.
    // Owned, in memory of its own so that inner loops count no references.
    let components: UnsafeMutableBufferPointer<Component>
    var entropy: JPEGEntropyReader
    /// The DC coefficients that the next differences are from (T.81, F.1.1.5.1).
    var predictions = SIMD4<Int32>(repeating: 0)
    /// Blocks, from the next one on, that have no more new coefficients (T.81: EOBRUN).
    var endOfBandRun = 0

    private let frame: JPEGFrameHeader
    private var unitsToRestart: Int

    /// Makes a reader of a scan.
    ///
    /// - Parameters:
    ///   - scan: The scan; its tables live as long as the reader.
    ///   - frame: The frame.
    ///   - row: The row that the scan is decoded into. It must outlive the reader.
    ///   - isTolerant: Whether damage is passed over as libjpeg does.
    init(
        _ scan: JPEGScan, of frame: JPEGFrameHeader, into row: JPEGCoefficientRow, isTolerant: Bool
    ) {
        self.scan = scan
        self.frame = frame
        self.isTolerant = isTolerant
        let isInterleaved = scan.components.count > 1
        components = .allocate(capacity: scan.components.count)
        _ = components.initialize(
            fromContentsOf: scan.components.map { component in
                let factors = frame.components[component.index]
                return Component(
                    plane: row.planes[component.index],
                    across: isInterleaved ? factors.horizontal : 1,
                    down: isInterleaved ? factors.vertical : 1,
                    dc: component.dc.codes, ac: component.ac.codes)
            })
        entropy = JPEGEntropyReader(from: scan.start, isTolerant: isTolerant)
        unitsToRestart = scan.restartInterval
    }

    deinit { components.deallocate() }

    /// Decodes the next row of units.
    ///
    /// - Parameters:
    ///   - row: The number of the row; each is decoded once and in order.
    ///   - window: A window over the file, which other readers use too.
    /// - Throws: `DecodingFault`.
    mutating func decodeRow(
        _ row: Int, from window: inout FileWindow
    ) throws(DecodingFault) {
        // Else a picture of empty scans would take as long as its restart markers would.
        guard !entropy.isOver else { return }
        if components.count > 1 {
            try decodeLine(0, units: frame.unitsAcross, from: &window)
        } else {
            // T.81, A.2.2: units of one block, without those that only fill up units of the frame.
            let component = frame.components[scan.components[0].index]
            let lines = min(component.vertical, component.lines - row * component.vertical)
            for line in 0..<max(lines, 0) {
                try decodeLine(
                    line * components[0].plane.columns, units: component.columns, from: &window)
            }
        }
        try entropy.settle()
    }

    /// Decodes units beside each other, up to and over restart markers.
    private mutating func decodeLine(
        _ start: Int, units: Int, from window: inout FileWindow
    ) throws(DecodingFault) {
        guard scan.restartInterval > 0 else {
            try decode(0..<units, from: start, &window)
            return
        }
        var unit = 0
        while unit < units, !entropy.isOver {
            if unitsToRestart == 0 {
                try entropy.restart(from: &window)
                predictions = SIMD4(repeating: 0)
                endOfBandRun = 0
                unitsToRestart = scan.restartInterval
            }
            let stretch = min(units - unit, unitsToRestart)
            try decode(unit..<unit + stretch, from: start, &window)
            unitsToRestart -= stretch
            unit += stretch
        }
    }

    /// Decodes units beside each other that have no restart marker between them.
    ///
    /// - Parameters:
    ///   - units: Their numbers in the line.
    ///   - start: The block of the planes that the line begins at.
    ///   - window: A window over the file.
    /// - Throws: `DecodingFault`.
    private mutating func decode(
        _ units: Range<Int>, from start: Int, _ window: inout FileWindow
    ) throws(DecodingFault) {
        guard !entropy.isExhausted else { return }
        switch scan.pass {
        case .sequential: try decodeSequential(units, from: start, &window)
        case .dcFirst: try decodeFirstDC(units, from: start, &window)
        case .dcRefinement: try refineDC(units, from: start, &window)
        case .acFirst: try decodeFirstAC(units, from: start, &window)
        case .acRefinement: try refineAC(units, from: start, &window)
        }
    }
}
