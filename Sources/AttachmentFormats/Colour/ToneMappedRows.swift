package import AttachmentModel

/// Rows of PQ or HLG as 8-bit sRGB; alpha stays.
package final class ToneMappedRows: DecodedRows {
    package let layout: RowLayout
    package let profile: [UInt8]? = nil
    package var tags: ColourTags? { nil }
    package var notes: [String] { rows.notes + [ToneMapping.note] }

    private let rows: any DecodedRows
    private let mapping: ToneMapping
    private var source: [UInt8]
    private var mapped = [UInt8](repeating: 0, count: 3 * chunk)
    private var planes = [UInt16](repeating: 0, count: 3 * chunk)

    /// Pixels per step: their planes fit the first-level cache.
    private static let chunk = 512

    /// Nil for other rows, and for those with a usable profile.
    package init?(_ rows: any DecodedRows) {
        let source = rows.layout
        let isGrey = source.bands < 3
        guard !(rows.profile.map { ICCProfile($0).isUsable(for: isGrey ? .grey : .rgb) } ?? false),
            let mapping = rows.tags.flatMap({
                ToneMapping(from: $0, bitDepth: 8 * source.bytesPerSample)
            })
        else { return nil }
        (self.rows, self.mapping) = (rows, mapping)
        self.source = Array(repeating: 0, count: source.rowBytes)
        layout = RowLayout(width: source.width, height: source.height, bands: source.bands)
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        precondition(row.count == layout.rowBytes, "a row of another size")
        let rows = rows
        try source.withUnsafeMutableBytes { source in
            Result { () throws(DecodingFault) in try rows.readRow(into: source) }
        }.get()
        for start in stride(from: 0, to: layout.width, by: Self.chunk) {
            map(start..<min(start + Self.chunk, layout.width), to: row)
        }
    }

    private func map(_ columns: Range<Int>, to row: UnsafeMutableRawBufferPointer) {
        let (bands, count) = (layout.bands, columns.count)
        let colours = bands < 3 ? 1 : 3
        for (x, column) in columns.enumerated() {
            for colour in 0..<3 {
                let sample = bands * column + (colours == 1 ? 0 : colour)
                planes[colour * Self.chunk + x] = self.sample(sample)
            }
        }
        planes.withUnsafeMutableBufferPointer { planes in
            // The array has three planes of a chunk.
            guard let start = planes.baseAddress else { return }
            mapped.withUnsafeMutableBytes { mapped in
                guard let out = mapped.baseAddress else { return }
                mapping.map(
                    ColourPlanes(
                        red: start, green: start + Self.chunk, blue: start + 2 * Self.chunk),
                    count, into: out)
            }
        }
        for (x, column) in columns.enumerated() {
            for colour in 0..<colours { row[bands * column + colour] = mapped[3 * x + colour] }
            guard bands > colours else { continue }
            let alpha = sample(bands * column + colours)
            row[bands * column + colours] = UInt8(
                layout.bytesPerSample == sourceBytes ? alpha : alpha >> 8)
        }
    }

    private var sourceBytes: Int { rows.layout.bytesPerSample }

    private func sample(_ index: Int) -> UInt16 {
        source.withUnsafeBytes {
            sourceBytes == 1
                ? UInt16($0[index])
                : $0.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
        }
    }
}
