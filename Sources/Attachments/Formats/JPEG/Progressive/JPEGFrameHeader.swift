internal import AttachmentModel

/// Frame header (T.81, B.2.2) with the derived block and unit geometry (T.81, A.2).
struct JPEGFrameHeader {
    enum Process {
        case sequential
        case progressive
    }

    struct Component {
        let identifier: UInt8
        fileprivate(set) var horizontal: Int
        fileprivate(set) var vertical: Int
        let quantisation: Int
    }

    /// Limit on each side in pixels, equal to libjpeg's, which reads the stream.
    static let longestSide = 65500
    /// Limit on the blocks per unit of an interleaved scan (T.81, B.2.3).
    static let maxBlocksPerUnit = 10

    let process: Process
    let width: Int
    let height: Int
    let components: [Component]
    let horizontal: Int
    let vertical: Int

    init(_ segment: JPEGSegment, marker: UInt8) throws(DecodingFault) {
        process = try Self.process(of: marker, at: segment.offset)
        var segment = segment
        let precision = try segment.uint8()
        guard precision == 8 else {
            throw segment.fault(.unsupported, "it is a JPEG of \(precision) bits a sample")
        }
        let height = try segment.uint16()
        let width = try segment.uint16()
        // The height may follow the first scan in a DNL segment (T.81, B.2.5).
        guard height > 0 else {
            throw segment.fault(.unsupported, "its height follows its first scan")
        }
        guard width > 0 else { throw segment.fault(.corrupt, "its width is 0") }
        guard max(width, height) <= Self.longestSide else {
            throw segment.fault(.limit, "a side is longer than \(Self.longestSide) pixels")
        }
        let count = Int(try segment.uint8())
        guard (1...4).contains(count) else {
            throw segment.fault(.unsupported, "it has \(count) components")
        }
        var components: [Component] = []
        for _ in 0..<count { components.append(try Component(&segment)) }
        // A single component is coded block by block, whatever its factors (T.81, A.2.2).
        if count == 1 { (components[0].horizontal, components[0].vertical) = (1, 1) }
        guard segment.isAtEnd else { throw segment.fault(.corrupt, "the frame header is too long") }
        let blocks = components.reduce(0) { $0 + $1.horizontal * $1.vertical }
        guard blocks <= Self.maxBlocksPerUnit else {
            throw segment.fault(.unsupported, "its units have \(blocks) blocks")
        }
        horizontal = components.reduce(1) { max($0, $1.horizontal) }
        vertical = components.reduce(1) { max($0, $1.vertical) }
        (self.width, self.height, self.components) = (width, height, components)
    }

    /// The frame after turning: sequential, with the identifiers of JFIF (T.871, section 10.1).
    init(turning frame: JPEGFrameHeader, _ orientation: Orientation) {
        let isTransposed = orientation.exchangesSides
        process = .sequential
        (width, height) =
            isTransposed ? (frame.height, frame.width) : (frame.width, frame.height)
        (horizontal, vertical) =
            isTransposed
            ? (frame.vertical, frame.horizontal) : (frame.horizontal, frame.vertical)
        components = frame.components.enumerated().map { index, component in
            Component(
                identifier: UInt8(index + 1),
                horizontal: isTransposed ? component.vertical : component.horizontal,
                vertical: isTransposed ? component.horizontal : component.vertical,
                quantisation: component.quantisation)
        }
    }

    var hasRepeatedIdentifiers: Bool { !components.map(\.identifier).allSatisfy(isUnique) }

    func isUnique(_ identifier: UInt8) -> Bool {
        components.count { $0.identifier == identifier } == 1
    }

    /// Units (T.81: MCU) per row in a scan of all components.
    var unitsAcross: Int { width.dividedUp(by: 8 * horizontal) }
    var unitRows: Int { height.dividedUp(by: 8 * vertical) }

    /// Blocks of a component without padding, as scans of it alone cover them (T.81, A.2.2).
    func blocks(of component: Component) -> (columns: Int, lines: Int) {
        (
            (width * component.horizontal).dividedUp(by: 8 * horizontal),
            (height * component.vertical).dividedUp(by: 8 * vertical)
        )
    }

    /// Blocks of all components.
    var blockCount: Int {
        components.reduce(0) { sum, component in
            let (columns, lines) = blocks(of: component)
            return sum + columns * lines
        }
    }

    private static func process(of marker: UInt8, at offset: Int) throws(DecodingFault) -> Process {
        switch marker {
        case JPEGMarker.baselineFrame, JPEGMarker.sequentialFrame: .sequential
        case JPEGMarker.progressiveFrame: .progressive
        case 0xC9, 0xCA: throw DecodingFault(.unsupported, at: offset, "it uses arithmetic coding")
        case 0xC3, 0xCB: throw DecodingFault(.unsupported, at: offset, "it is a lossless JPEG")
        default: throw DecodingFault(.unsupported, at: offset, "it is a hierarchical JPEG")
        }
    }
}

extension JPEGFrameHeader.Component {
    fileprivate init(_ segment: inout JPEGSegment) throws(DecodingFault) {
        identifier = try segment.uint8()
        let factors = try segment.uint8()
        (horizontal, vertical) = (Int(factors >> 4), Int(factors & 15))
        quantisation = Int(try segment.uint8())
        guard (1...4).contains(horizontal), (1...4).contains(vertical) else {
            throw segment.fault(.corrupt, "a sampling factor is \(horizontal)x\(vertical)")
        }
        guard quantisation < 4 else {
            throw segment.fault(.corrupt, "a component uses quantisation table \(quantisation)")
        }
    }
}

extension Int {
    fileprivate func dividedUp(by divisor: Int) -> Int { (self + divisor - 1) / divisor }
}
