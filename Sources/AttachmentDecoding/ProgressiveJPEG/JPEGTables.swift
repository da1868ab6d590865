/// The tables and settings that are in force at a place of the file (T.81, B.2.4).
struct JPEGTables {
    /// The most tables that are made ready at the same time.
    ///
    /// A progressive scan takes one, or up to four for the first DC pass: 100 scans with tables of
    /// their own, and the sequential ones.
    static let mostTables = 112

    /// What the segments defined last, DC before AC.
    private var specifications: [[JPEGHuffmanSpecification?]] = [
        [nil, nil, nil, nil], [nil, nil, nil, nil],
    ]
    private(set) var quantisation: [JPEGQuantisationTable?] = [nil, nil, nil, nil]
    /// Tables that scans use, each of them once.
    private var ready: [JPEGHuffmanTable] = []
    /// Units between restart markers; 0 when there are none.
    private(set) var restartInterval = 0
    /// What passes have that need no table.
    private let empty: JPEGHuffmanTable

    /// Starts with nothing.
    ///
    /// - Throws: Nothing in practice; making a table throws.
    init() throws(DecodingFault) {
        let none = JPEGHuffmanSpecification(counts: Array(repeating: 0, count: 16), symbols: [])
        empty = try JPEGHuffmanTable(none, as: .ac, at: 0)
    }

    /// Takes the segments that define anything; others change nothing.
    ///
    /// - Parameters:
    ///   - segment: The body of the segment.
    ///   - marker: The marker before it.
    /// - Throws: `corrupt`.
    mutating func define(_ segment: JPEGSegment, marker: UInt8) throws(DecodingFault) {
        var segment = segment
        switch marker {
        case JPEGMarker.huffmanTables:
            while !segment.isAtEnd {
                let name = Int(try segment.uint8())
                guard name >> 4 < 2, name & 15 < 4 else {
                    throw segment.fault(.corrupt, "a Huffman table has the name \(name)")
                }
                specifications[name >> 4][name & 15] = try JPEGHuffmanSpecification(&segment)
            }
        case JPEGMarker.quantisationTables:
            while !segment.isAtEnd {
                let (name, table) = try JPEGQuantisationTable.named(&segment)
                quantisation[name] = table
            }
        case JPEGMarker.restartInterval:
            restartInterval = try segment.uint16()
            guard segment.isAtEnd else {
                throw segment.fault(.corrupt, "the segment of the restart interval is too long")
            }
        default:
            break
        }
    }

    /// Defines the tables that Motion JPEG leaves out, where there are none yet.
    ///
    /// libjpeg does so for sequential files, once, when it meets the first scan.
    mutating func defineStandardTables() {
        let standard: [[JPEGHuffmanSpecification]] = [
            [.dcLuminance, .dcChrominance], [.acLuminance, .acChrominance],
        ]
        for kind in 0..<2 {
            for name in 0..<2 where specifications[kind][name] == nil {
                specifications[kind][name] = standard[kind][name]
            }
        }
    }

    /// The quantisation table of a component at its first scan.
    ///
    /// - Parameters:
    ///   - name: 0 to 3.
    ///   - offset: Where the scan is, in bytes from the start of the file.
    /// - Returns: The table that is in force there.
    /// - Throws: `corrupt` when it is not defined.
    func quantisationTable(
        _ name: Int, at offset: Int
    ) throws(DecodingFault) -> JPEGQuantisationTable {
        guard let table = quantisation[name] else {
            throw DecodingFault(.corrupt, at: offset, "a quantisation table is missing")
        }
        return table
    }

    /// The Huffman tables of a component of a scan.
    ///
    /// - Parameters:
    ///   - component: The numbers of the scan header.
    ///   - pass: What the scan's data are, which tells the tables that it needs.
    ///   - offset: Where the scan is, in bytes from the start of the file.
    /// - Returns: The component with its tables.
    /// - Throws: `corrupt` when a table is not defined or is none; `overCeiling`.
    mutating func component(
        _ component: (index: Int, dc: Int, ac: Int), for pass: JPEGScan.Pass, at offset: Int
    ) throws(DecodingFault) -> JPEGScan.Component {
        let needsDC = pass == .sequential || pass == .dcFirst
        let needsAC = pass == .sequential || pass == .acFirst || pass == .acRefinement
        return JPEGScan.Component(
            index: component.index,
            dc: needsDC ? try huffmanTable(component.dc, .dc, at: offset) : empty,
            ac: needsAC ? try huffmanTable(component.ac, .ac, at: offset) : empty)
    }

    private mutating func huffmanTable(
        _ name: Int, _ kind: JPEGHuffmanSpecification.Class, at offset: Int
    ) throws(DecodingFault) -> JPEGHuffmanTable {
        guard name < 4, let specification = specifications[kind.rawValue][name] else {
            throw DecodingFault(.corrupt, at: offset, "a Huffman table is missing")
        }
        if let table = ready.first(where: { $0.kind == kind && $0.specification == specification })
        {
            return table
        }
        guard ready.count < Self.mostTables else {
            throw DecodingFault(.overCeiling, at: offset, "there are too many Huffman tables")
        }
        let table = try JPEGHuffmanTable(specification, as: kind, at: offset)
        ready.append(table)
        return table
    }
}

/// A quantisation table (T.81, B.2.4.1).
struct JPEGQuantisationTable: Hashable {
    /// Sixty-four divisors in zigzag order.
    let divisors: [UInt16]

    /// A table of ones, for components that no scan has.
    static let ones = JPEGQuantisationTable(divisors: Array(repeating: 1, count: 64))

    /// Whether one of them needs two bytes.
    var isWide: Bool { divisors.contains { $0 > 255 } }

    /// Reads one table of a DQT segment with its name.
    ///
    /// - Parameter segment: The segment, at the name.
    /// - Returns: The name, 0 to 3, and the table.
    /// - Throws: `corrupt`.
    static func named(
        _ segment: inout JPEGSegment
    ) throws(DecodingFault) -> (Int, JPEGQuantisationTable) {
        let byte = Int(try segment.uint8())
        guard byte & 15 < 4 else {
            throw segment.fault(.corrupt, "a quantisation table has the name \(byte & 15)")
        }
        var divisors: [UInt16] = []
        for _ in 0..<64 {
            // As libjpeg: anything but 0 means two bytes.
            divisors.append(
                byte >> 4 == 0 ? UInt16(try segment.uint8()) : UInt16(try segment.uint16()))
        }
        return (byte & 15, JPEGQuantisationTable(divisors: divisors))
    }
}
