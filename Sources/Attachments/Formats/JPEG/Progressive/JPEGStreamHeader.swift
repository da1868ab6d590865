/// Segments of the stream between the application segments and the scan.
enum JPEGStreamHeader {
    /// Each component uses the quantisation table of its first scan, as in libjpeg.
    static func segments(for index: JPEGScanIndex) -> [UInt8] {
        segments(index.frame, index.quantisation, JPEGBlockEncoder.specifications)
    }

    /// Writes equal quantisation tables once, and no empty Huffman tables.
    ///
    /// `specifications` are in the order of ``JPEGBlockEncoder/specifications``.
    static func segments(
        _ frame: JPEGFrameHeader, _ quantisation: [JPEGQuantisationTable],
        _ specifications: [JPEGHuffmanSpecification]
    ) -> [UInt8] {
        var tables: [JPEGQuantisationTable] = []
        let selectors = quantisation.map { table -> UInt8 in
            if let index = tables.firstIndex(of: table) { return UInt8(index) }
            tables.append(table)
            return UInt8(tables.count - 1)
        }
        var bytes: [UInt8] = []
        for (name, table) in tables.enumerated() {
            append(JPEGMarker.quantisationTables, body(of: table, name: UInt8(name)), to: &bytes)
        }
        // Two-byte divisors are not allowed in a baseline frame (T.81, B.2.4.1).
        let isBaseline = tables.allSatisfy { !$0.isWide }
        append(
            isBaseline ? JPEGMarker.baselineFrame : JPEGMarker.sequentialFrame,
            body(of: frame, selectors: selectors), to: &bytes)
        // In libjpeg's order: by number, DC first.
        for number in [0, 2, 1, 3] where !specifications[number].symbols.isEmpty {
            let table = specifications[number]
            let name = UInt8((number / 2) << 4 + number % 2)
            append(JPEGMarker.huffmanTables, [name] + table.counts + table.symbols, to: &bytes)
        }
        append(JPEGMarker.startOfScan, scanBody(of: frame), to: &bytes)
        return bytes
    }

    /// Body of a DQT segment (T.81, B.2.4.1).
    private static func body(of table: JPEGQuantisationTable, name: UInt8) -> [UInt8] {
        guard table.isWide else { return [name] + table.divisors.map(UInt8.init) }
        return [0x10 | name] + table.divisors.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    /// Body of a SOF segment (T.81, B.2.2).
    private static func body(of frame: JPEGFrameHeader, selectors: [UInt8]) -> [UInt8] {
        var body: [UInt8] = [8]
        for side in [frame.height, frame.width] { body += [UInt8(side >> 8), UInt8(side & 255)] }
        body.append(UInt8(frame.components.count))
        for (component, selector) in zip(frame.components, selectors) {
            let factors = UInt8(component.horizontal << 4 | component.vertical)
            body += [component.identifier, factors, selector]
        }
        return body
    }

    /// Body of the SOS segment (T.81, B.2.3).
    private static func scanBody(of frame: JPEGFrameHeader) -> [UInt8] {
        var body = [UInt8(frame.components.count)]
        for (index, component) in frame.components.enumerated() {
            body += [component.identifier, JPEGBlockEncoder.table(of: index) * 0x11]
        }
        return body + [0, 63, 0]
    }

    private static func append(_ marker: UInt8, _ body: [UInt8], to bytes: inout [UInt8]) {
        let length = body.count + 2
        bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + body
    }
}
