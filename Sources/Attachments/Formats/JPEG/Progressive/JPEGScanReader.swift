/// Decodes one scan, a row of units at a time, on top of the coefficients of earlier scans.
///
/// All scans of a file process a row before any continues with the next. Refinement passes depend
/// only on earlier passes over the same block, so a row is self-contained.
struct JPEGScanReader: ~Copyable {
    struct Component {
        let plane: JPEGCoefficientRow.Plane
        let across: Int
        let down: Int
        let dc: JPEGHuffmanCodes
        let ac: JPEGHuffmanCodes
    }

    let scan: JPEGScan
    // Owned, in memory of its own so that inner loops count no references.
    let components: UnsafeMutableBufferPointer<Component>
    var entropy: JPEGEntropyReader
    /// DC predictions (T.81, F.1.1.5.1).
    var predictions = SIMD4<Int32>(repeating: 0)
    /// Following blocks without new coefficients (T.81: EOBRUN).
    var endOfBandRun = 0

    private let frame: JPEGFrameHeader
    private var unitsToRestart: Int

    /// The tables of the scan and the row must outlive it.
    init(
        _ scan: JPEGScan, of frame: JPEGFrameHeader, into row: JPEGCoefficientRow, isTolerant: Bool
    ) {
        (self.scan, self.frame) = (scan, frame)
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

    /// Rows must be decoded in order; readers share the window.
    mutating func decodeRow(_ row: Int, from window: inout FileWindow) throws(DecodingFault) {
        // Otherwise an image of empty scans would take as long as its restart intervals.
        guard !entropy.isOver else { return }
        if components.count > 1 {
            try decodeLine(0, units: frame.unitsAcross, from: &window)
        } else {
            // Units are single blocks, without the padding blocks of the frame (T.81, A.2.2).
            let component = frame.components[scan.components[0].index]
            let blocks = frame.blocks(of: component)
            let lines = min(component.vertical, blocks.lines - row * component.vertical)
            for line in 0..<max(lines, 0) {
                try decodeLine(
                    line * components[0].plane.columns, units: blocks.columns, from: &window)
            }
        }
        try entropy.checkOverrun()
    }

    /// Returns the symbol; a tolerant reader replaces an invalid one by 0, as libjpeg does.
    @inline(__always)
    func checked(_ symbol: Int) throws(DecodingFault) -> Int {
        if symbol >= 0 { return symbol }
        try entropy.damage("a Huffman code is invalid")
        return 0
    }

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

    /// Decodes units without a restart marker in between; `start` is the line's first block.
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
