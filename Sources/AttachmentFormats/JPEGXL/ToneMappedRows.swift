/// Rows of 16-bit RGB in PQ or HLG, tone-mapped to 8-bit sRGB; alpha is kept.
package final class ToneMappedRows: DecodedRows {
    package let layout: RowLayout
    package let notes = ["tone-mapped from high dynamic range"]
    package var profile: [UInt8]? { nil }

    private let rows: any DecodedRows
    private let mapping: ToneMapping
    private var samples: [UInt16]
    private var planes: [UInt16]
    private var colours: [UInt8]

    /// Nil if the rows or colours are of another kind.
    package init?(_ rows: any DecodedRows, from colours: JPEGXLColours) {
        let source = rows.layout
        guard source.bands >= 3, source.bytesPerSample == 2,
            let mapping = ToneMapping(from: colours.coded, bitDepth: 16)
        else { return nil }
        (self.rows, self.mapping) = (rows, mapping)
        layout = RowLayout(width: source.width, height: source.height, bands: source.bands)
        samples = Array(repeating: 0, count: source.width * source.bands)
        planes = Array(repeating: 0, count: source.width * 3)
        self.colours = Array(repeating: 0, count: source.width * 3)
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        let rows = rows
        try samples.withUnsafeMutableBytes { bytes in
            Result { () throws(DecodingFault) in try rows.readRow(into: bytes) }
        }.get()
        let (width, bands) = (layout.width, layout.bands)
        for x in 0..<width {
            for band in 0..<3 { planes[band * width + x] = samples[x * bands + band] }
        }
        planes.withUnsafeMutableBufferPointer { planes in
            colours.withUnsafeMutableBytes { colours in
                guard let start = planes.baseAddress, let out = colours.baseAddress else { return }
                mapping.map(
                    ColourPlanes(red: start, green: start + width, blue: start + 2 * width),
                    width, into: out)
            }
        }
        for x in 0..<width {
            for band in 0..<3 { row[x * bands + band] = colours[3 * x + band] }
            if bands == 4 { row[4 * x + 3] = UInt8(samples[4 * x + 3] >> 8) }
        }
    }
}
