/// A frame header (T.81, B.2.2), and what follows from it for blocks and units (T.81, A.2).
struct JPEGFrameHeader {
    /// How the scans of the frame code its coefficients.
    enum Process {
        case sequential
        case progressive
    }

    /// One component of the frame.
    struct Component {
        /// What scans call it.
        let identifier: UInt8
        /// Blocks in a unit, across.
        let horizontal: Int
        /// Blocks in a unit, down.
        let vertical: Int
        /// Which quantisation table it takes, 0 to 3.
        let quantisation: Int
        /// Blocks with samples in a line, which scans of this component alone cover (T.81, A.2.2).
        let columns: Int
        /// Lines of blocks with samples.
        let lines: Int
    }

    /// The farthest side that libjpeg takes, in pixels; the stream is for it.
    static let longestSide = 65500
    /// The most blocks that a unit of an interleaved scan may have (T.81, B.2.3).
    static let mostBlocksInUnit = 10

    let process: Process
    /// In pixels.
    let width: Int
    /// In pixels.
    let height: Int
    let components: [Component]
    /// Blocks of the widest component in a unit, across.
    let horizontal: Int
    /// Blocks of the highest component in a unit, down.
    let vertical: Int
    /// Units (T.81: MCU) in a row of a scan of all components.
    let unitsAcross: Int
    /// Rows of units.
    let unitRows: Int

    /// Reads a frame header.
    ///
    /// - Parameters:
    ///   - segment: The body of the segment.
    ///   - marker: The marker before it.
    /// - Throws: `unsupported` for what the decoder does not read, and `corrupt`.
    init(_ segment: JPEGSegment, marker: UInt8) throws(DecodingFault) {
        process = try Self.process(of: marker, at: segment.offset)
        var segment = segment
        let precision = try segment.uint8()
        guard precision == 8 else {
            throw segment.fault(.unsupported, "it is a JPEG of \(precision) bits a sample")
        }
        let height = try segment.uint16()
        let width = try segment.uint16()
        // T.81, B.2.5: the height may follow the first scan, in a DNL segment.
        guard height > 0 else {
            throw segment.fault(.unsupported, "its height stands behind its first scan")
        }
        guard width > 0 else { throw segment.fault(.corrupt, "it has no columns") }
        guard max(width, height) <= Self.longestSide else {
            throw segment.fault(.overCeiling, "a side is longer than \(Self.longestSide) pixels")
        }
        let count = Int(try segment.uint8())
        guard (1...4).contains(count) else {
            throw segment.fault(.unsupported, "it has \(count) components")
        }
        var factors: [Factors] = []
        for _ in 0..<count { factors.append(try Factors(&segment)) }
        // T.81, A.2.2: a component alone is coded block by block, whatever its factors.
        if count == 1 { (factors[0].horizontal, factors[0].vertical) = (1, 1) }
        guard segment.isAtEnd else { throw segment.fault(.corrupt, "the frame header is too long") }
        guard Set(factors.map(\.identifier)).count == count else {
            throw segment.fault(.corrupt, "two components have one name")
        }
        let blocks = factors.reduce(0) { $0 + $1.horizontal * $1.vertical }
        guard blocks <= Self.mostBlocksInUnit else {
            throw segment.fault(.unsupported, "its units have \(blocks) blocks")
        }
        let horizontal = factors.reduce(1) { max($0, $1.horizontal) }
        let vertical = factors.reduce(1) { max($0, $1.vertical) }
        (self.width, self.height) = (width, height)
        (self.horizontal, self.vertical) = (horizontal, vertical)
        unitsAcross = width.dividedUp(by: 8 * horizontal)
        unitRows = height.dividedUp(by: 8 * vertical)
        components = factors.map { component in
            Component(
                identifier: component.identifier, horizontal: component.horizontal,
                vertical: component.vertical, quantisation: component.quantisation,
                columns: (width * component.horizontal).dividedUp(by: 8 * horizontal),
                lines: (height * component.vertical).dividedUp(by: 8 * vertical))
        }
    }

    private static func process(of marker: UInt8, at offset: Int) throws(DecodingFault) -> Process {
        switch marker {
        case JPEGMarker.baselineFrame, JPEGMarker.sequentialFrame: .sequential
        case JPEGMarker.progressiveFrame: .progressive
        case 0xC9, 0xCA: throw DecodingFault(.unsupported, at: offset, "its coding is arithmetic")
        case 0xC3, 0xCB: throw DecodingFault(.unsupported, at: offset, "it is a lossless JPEG")
        default: throw DecodingFault(.unsupported, at: offset, "it is a hierarchical JPEG")
        }
    }

    /// What the header itself says of a component.
    private struct Factors {
        let identifier: UInt8
        var horizontal: Int
        var vertical: Int
        let quantisation: Int

        init(_ segment: inout JPEGSegment) throws(DecodingFault) {
            identifier = try segment.uint8()
            let factors = try segment.uint8()
            (horizontal, vertical) = (Int(factors >> 4), Int(factors & 15))
            quantisation = Int(try segment.uint8())
            guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
                throw segment.fault(.corrupt, "a sampling factor is \(horizontal)x\(vertical)")
            }
            guard quantisation < 4 else {
                throw segment.fault(
                    .corrupt, "a component takes quantisation table \(quantisation)")
            }
        }
    }
}

extension Int {
    /// The quotient, rounded up.
    ///
    /// - Parameter divisor: At least 1.
    /// - Returns: The least number whose product with the divisor is not below this one.
    fileprivate func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
