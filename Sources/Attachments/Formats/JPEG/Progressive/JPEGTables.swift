/// Tables and settings in force at a position of the file (T.81, B.2.4).
struct JPEGTables {
    /// Enough for 100 progressive scans, of up to four tables in the first DC pass, and sequential
    /// ones.
    static let maxTables = 112

    private var specifications: [[JPEGHuffmanSpecification?]] = Array(
        repeating: Array(repeating: nil, count: 4), count: 2)
    private(set) var quantisation: [JPEGQuantisationTable?] = [nil, nil, nil, nil]
    private var ready: [JPEGHuffmanTable] = []
    /// Units between restart markers; 0 without restarts.
    private(set) var restartInterval = 0
    /// Placeholder for tables that a pass does not need.
    private let empty: JPEGHuffmanTable

    init() throws(DecodingFault) {
        let none = JPEGHuffmanSpecification(counts: Array(repeating: 0, count: 16), symbols: [])
        empty = try JPEGHuffmanTable(none, as: .ac, at: 0)
    }

    mutating func define(_ segment: JPEGSegment, marker: UInt8) throws(DecodingFault) {
        var segment = segment
        switch marker {
        case JPEGMarker.huffmanTables:
            while !segment.isAtEnd {
                let name = Int(try segment.uint8())
                guard name >> 4 < 2, name & 15 < 4 else {
                    throw segment.fault(.corrupt, "a Huffman table has the number \(name)")
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
                throw segment.fault(.corrupt, "the restart interval segment is too long")
            }
        default:
            break
        }
    }

    /// Motion JPEG omits the standard tables; libjpeg defines them too, at the first scan of a
    /// sequential file.
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

    func quantisationTable(
        _ name: Int, at offset: Int
    ) throws(DecodingFault) -> JPEGQuantisationTable {
        guard let table = quantisation[name] else {
            throw DecodingFault(.corrupt, at: offset, "a quantisation table is missing")
        }
        return table
    }

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
        guard ready.count < Self.maxTables else {
            throw DecodingFault(.limit, at: offset, "there are too many Huffman tables")
        }
        let table = try JPEGHuffmanTable(specification, as: kind, at: offset)
        ready.append(table)
        return table
    }
}

/// A quantisation table (T.81, B.2.4.1).
struct JPEGQuantisationTable: Hashable {
    let divisors: [UInt16]

    static let ones = JPEGQuantisationTable(divisors: Array(repeating: 1, count: 64))

    var isWide: Bool { divisors.contains { $0 > 255 } }

    static func named(
        _ segment: inout JPEGSegment
    ) throws(DecodingFault) -> (Int, JPEGQuantisationTable) {
        let byte = Int(try segment.uint8())
        guard byte & 15 < 4 else {
            throw segment.fault(.corrupt, "a quantisation table has the number \(byte & 15)")
        }
        var divisors: [UInt16] = []
        for _ in 0..<64 {
            // As in libjpeg, any non-zero precision means two bytes.
            divisors.append(
                byte >> 4 == 0 ? UInt16(try segment.uint8()) : UInt16(try segment.uint16()))
        }
        return (byte & 15, JPEGQuantisationTable(divisors: divisors))
    }
}
