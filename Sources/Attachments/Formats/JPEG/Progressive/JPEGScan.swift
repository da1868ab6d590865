/// A scan: header fields (T.81, B.2.3) and the tables in force.
struct JPEGScan {
    enum Pass {
        /// Whole blocks (T.81, F.2).
        case sequential
        /// Upper bits of the DC coefficients (T.81, G.1.2.1).
        case dcFirst
        /// One more bit of each DC coefficient.
        case dcRefinement
        /// Upper bits of a band of AC coefficients (T.81, G.1.2.2).
        case acFirst
        /// One more bit of each coefficient of a band (T.81, G.1.2.3).
        case acRefinement
    }

    struct Component {
        let index: Int
        let dc: JPEGHuffmanTable
        let ac: JPEGHuffmanTable
    }

    let pass: Pass
    let components: [Component]
    /// Zigzag positions coded by the scan (T.81: Ss and Se).
    let band: ClosedRange<Int>
    /// Lowest bit coded by the scan (T.81: Al).
    let shift: Int
    /// Units between restart markers; 0 without restarts.
    let restartInterval: Int
    let start: Int
}

/// Fields of a scan header, before table lookup.
struct JPEGScanHeader {
    let components: [(index: Int, dc: Int, ac: Int)]
    /// First zigzag position (T.81: Ss).
    let first: Int
    /// Last zigzag position (T.81: Se).
    let last: Int
    /// Lowest bit of the preceding scan (T.81: Ah); 0 in a first pass.
    let high: Int
    /// Lowest bit of this scan (T.81: Al).
    let low: Int
    /// True if the parameters of a sequential scan are wrong; they are ignored.
    let hasWrongParameters: Bool

    init(_ segment: JPEGSegment, of frame: JPEGFrameHeader) throws(DecodingFault) {
        var segment = segment
        let count = Int(try segment.uint8())
        guard (1...frame.components.count).contains(count) else {
            throw segment.fault(.corrupt, "a scan has \(count) components")
        }
        var components: [(index: Int, dc: Int, ac: Int)] = []
        for _ in 0..<count {
            let identifier = try segment.uint8()
            let tables = Int(try segment.uint8())
            // Components with the same identifier are in the order of the frame, as in libjpeg.
            let index = frame.components.indices.first { index in
                frame.components[index].identifier == identifier
                    && !components.contains { $0.index == index }
            }
            guard let index else {
                throw segment.fault(.corrupt, "a scan has a component that is not in the frame")
            }
            guard count == frame.components.count || frame.isUnique(identifier) else {
                throw segment.fault(
                    .corrupt, "a scan names one of several components with the same identifier")
            }
            components.append((index, tables >> 4, tables & 15))
        }
        self.components = components
        first = Int(try segment.uint8())
        last = Int(try segment.uint8())
        let bits = Int(try segment.uint8())
        guard segment.isAtEnd else { throw segment.fault(.corrupt, "a scan header is too long") }
        // A sequential scan codes whole blocks (T.81, B.2.3). Some cameras write other numbers.
        hasWrongParameters = frame.process == .sequential && (first, last, bits) != (0, 63, 0)
        guard frame.process == .progressive else {
            (high, low) = (0, 0)
            return
        }
        (high, low) = (bits >> 4, bits & 15)
        // DC alone, AC of a single component, one more bit per refinement (T.81, G.1.1.1.1). Al is
        // at most 13 (T.81, table B.3).
        let isBand = first == 0 ? last == 0 : first <= last && last <= 63 && count == 1
        guard isBand, low <= 13, high == 0 || high == low + 1 else {
            throw segment.fault(
                .corrupt, "a scan has coefficients \(first) to \(last), bits \(high) to \(low)")
        }
    }

    func pass(in process: JPEGFrameHeader.Process) -> JPEGScan.Pass {
        switch (process, first, high) {
        case (.sequential, _, _): .sequential
        case (.progressive, 0, 0): .dcFirst
        case (.progressive, 0, _): .dcRefinement
        case (.progressive, _, 0): .acFirst
        case (.progressive, _, _): .acRefinement
        }
    }
}
