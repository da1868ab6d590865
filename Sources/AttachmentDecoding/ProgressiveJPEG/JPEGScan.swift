/// A scan of the file: what its header says (T.81, B.2.3), with the tables that are in force there.
struct JPEGScan {
    /// What the entropy-coded data of a scan are.
    enum Pass {
        /// All coefficients of a block after each other (T.81, F.2).
        case sequential
        /// The upper bits of the DC coefficients (T.81, G.1.2.1).
        case dcFirst
        /// One more bit of each DC coefficient.
        case dcRefinement
        /// The upper bits of a band of AC coefficients (T.81, G.1.2.2).
        case acFirst
        /// One more bit of each coefficient of a band (T.81, G.1.2.3).
        case acRefinement
    }

    /// One component of the scan.
    struct Component {
        /// Its place in the frame.
        let index: Int
        /// An empty table where the pass needs none.
        let dc: JPEGHuffmanTable
        /// An empty table where the pass needs none.
        let ac: JPEGHuffmanTable
    }

    let pass: Pass
    let components: [Component]
    /// The coefficients of the scan, in zigzag order (T.81: Ss and Se).
    let band: ClosedRange<Int>
    /// The bit of the coefficients at which the scan ends (T.81: Al).
    let shift: Int
    /// Units between restart markers; 0 when there are none.
    let restartInterval: Int
    /// Where the entropy-coded data begin in the file, in bytes.
    let start: Int
}

/// What a scan header says, before the tables are looked up.
struct JPEGScanHeader {
    /// Places in the frame, and the numbers of the tables.
    let components: [(index: Int, dc: Int, ac: Int)]
    /// T.81: Ss.
    let first: Int
    /// T.81: Se.
    let last: Int
    /// T.81: Ah, the bit at which the scan before ended; 0 in a first pass.
    let high: Int
    /// T.81: Al.
    let low: Int

    /// Reads a scan header.
    ///
    /// - Parameters:
    ///   - segment: The body of the segment.
    ///   - frame: The frame.
    /// - Throws: `corrupt`.
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
            let index = frame.components.firstIndex { $0.identifier == identifier }
            guard let index, !components.contains(where: { $0.index == index }) else {
                throw segment.fault(.corrupt, "a scan has a component that the frame has not")
            }
            components.append((index, tables >> 4, tables & 15))
        }
        self.components = components
        first = Int(try segment.uint8())
        last = Int(try segment.uint8())
        let bits = Int(try segment.uint8())
        (high, low) = (bits >> 4, bits & 15)
        guard segment.isAtEnd else { throw segment.fault(.corrupt, "a scan header is too long") }
        guard frame.process == .progressive else { return }
        // T.81, G.1.1.1.1: DC alone, AC of one component alone, one bit more in each refinement.
        // Al is at most 13 (T.81, table B.3).
        let isBand = first == 0 ? last == 0 : first <= last && last <= 63 && count == 1
        guard isBand, low <= 13, high == 0 || high == low + 1 else {
            throw segment.fault(
                .corrupt, "a scan has coefficients \(first) to \(last), bits \(high) to \(low)")
        }
    }

    /// The pass that these numbers mean.
    ///
    /// - Parameter process: The process of the frame.
    /// - Returns: What the scan's data are.
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
