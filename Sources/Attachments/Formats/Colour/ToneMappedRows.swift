package import AttachmentModel

/// Rows of PQ or HLG as 8-bit sRGB; alpha stays.
package final class ToneMappedRows: DecodedRows {
    package let layout: RowLayout
    package let profile: [UInt8]? = nil
    package var tags: ColourTags? { nil }
    package var notes: [String] { rows.notes + [ToneMapping.note] }

    private let rows: any DecodedRows
    private let pixels: ToneMappedPixels
    private var source: [UInt8]

    /// Nil for other rows, and for those with a usable profile.
    package init?(_ rows: any DecodedRows) {
        let source = rows.layout
        let isGrey = source.bands < 3
        guard !(rows.profile.map { ICCProfile($0).isUsable(for: isGrey ? .grey : .rgb) } ?? false),
            let pixels = rows.tags.flatMap({
                ToneMappedPixels(
                    from: $0, bands: source.bands, bytesPerSample: source.bytesPerSample)
            })
        else { return nil }
        (self.rows, self.pixels) = (rows, pixels)
        self.source = Array(repeating: 0, count: source.rowBytes)
        layout = RowLayout(width: source.width, height: source.height, bands: source.bands)
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        precondition(row.count == layout.rowBytes, "a row of another size")
        let rows = rows
        try source.withUnsafeMutableBytes { source in
            Result { () throws(DecodingFault) in try rows.readRow(into: source) }
        }.get()
        source.withUnsafeBytes { pixels.map($0, to: row) }
    }
}
