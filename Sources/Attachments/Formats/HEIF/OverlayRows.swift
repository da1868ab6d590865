internal import AttachmentContainer
internal import AttachmentModel

/// Stored rows of an overlay (ISO/IEC 23008-12, 6.6.2.2).
///
/// Layers outside the held part are released.
final class OverlayRows: StoredRows {
    let bands = 3
    let bytesPerSample: Int
    let isToneMapped: Bool
    let tags: ColourTags?
    var tileWidth: Int { size.width }

    private struct Layer {
        let rows: MosaicRows
        let columns: Range<Int>
        let span: Range<Int>

        init(_ rows: MosaicRows, at layer: Overlay.Layer) {
            self.rows = rows
            let size = layer.picture.colour.size
            columns = layer.column..<layer.column + size.width
            span = layer.row..<layer.row + size.height
        }
    }

    private let size: PixelSize
    private let fill: [UInt16]
    private let layers: [Layer]
    private var layerRow: [UInt8] = []

    /// Decodes the first tile of each layer, which determines the sample format.
    init(_ overlay: Overlay, hasProfile: Bool, decoder: FrameDecoder) throws(DecodingFault) {
        (size, fill) = (overlay.size, overlay.fill)
        var layers: [Layer] = []
        for layer in overlay.layers {
            let rows = try MosaicRows(
                layer.picture, visible: nil, hasProfile: hasProfile, decoder: decoder)
            layers.append(Layer(rows, at: layer))
        }
        bytesPerSample = layers[0].rows.bytesPerSample
        guard layers.allSatisfy({ [bytesPerSample] in $0.rows.bytesPerSample == bytesPerSample })
        else {
            throw DecodingFault(.unsupported, at: 0, "an overlay with samples of different sizes")
        }
        isToneMapped = layers.contains { $0.rows.isToneMapped }
        tags = layers[0].rows.tags
        guard hasProfile || layers.allSatisfy({ [tags] in $0.rows.tags == tags }) else {
            throw DecodingFault(.unsupported, at: 0, "an overlay of layers in different colours")
        }
        self.layers = layers
    }

    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault) {
        for layer in layers {
            guard layer.columns.overlaps(columns), layer.span.overlaps(rows) else {
                layer.rows.release()
                continue
            }
            try layer.rows.hold(
                columns: columns.clamped(to: layer.columns)
                    .shifted(by: -layer.columns.lowerBound),
                rows: rows.clamped(to: layer.span).shifted(by: -layer.span.lowerBound))
        }
    }

    func readRow(_ y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer) {
        if bytesPerSample == 1 {
            compose(UInt8.self, y, columns, into: row)
        } else {
            compose(UInt16.self, y, columns, into: row)
        }
    }

    private func compose<Sample: FixedWidthInteger & UnsignedInteger>(
        _ type: Sample.Type, _ y: Int, _ columns: Range<Int>,
        into row: UnsafeMutableRawBufferPointer
    ) {
        let fill = fill.map { Sample(truncatingIfNeeded: $0 >> UInt16(16 - Sample.bitWidth)) }
        let sampleBytes = MemoryLayout<Sample>.stride
        // Rows may start at odd addresses.
        for index in 0..<columns.count * bands {
            row.storeBytes(of: fill[index % bands], toByteOffset: index * sampleBytes, as: type)
        }
        for layer in layers where layer.span.contains(y) && layer.columns.overlaps(columns) {
            let part = columns.clamped(to: layer.columns)
            let bytes = part.count * layer.rows.pixelBytes
            if layerRow.count < bytes { layerRow = Array(repeating: 0, count: bytes) }
            let offset = (part.lowerBound - columns.lowerBound) * pixelBytes
            layerRow.withUnsafeMutableBytes { pixels in
                layer.rows.readRow(
                    y - layer.span.lowerBound, columns: part.shifted(by: -layer.columns.lowerBound),
                    into: UnsafeMutableRawBufferPointer(rebasing: pixels[..<bytes]))
                Self.blend(
                    UnsafeRawBufferPointer(pixels), type, count: part.count,
                    bands: layer.rows.bands,
                    over: UnsafeMutableRawBufferPointer(rebasing: row[offset...]))
            }
        }
    }

    /// Blends pixels over the canvas; grey is expanded to RGB.
    private static func blend<Sample: FixedWidthInteger & UnsignedInteger>(
        _ pixels: UnsafeRawBufferPointer, _ type: Sample.Type, count: Int, bands: Int,
        over row: UnsafeMutableRawBufferPointer
    ) {
        let sampleBytes = MemoryLayout<Sample>.stride
        let (isGrey, hasAlpha) = (bands < 3, bands % 2 == 0)
        let opaque = UInt32(Sample.max)
        for x in 0..<count {
            func sample(_ band: Int) -> UInt32 {
                UInt32(
                    pixels.loadUnaligned(fromByteOffset: (x * bands + band) * sampleBytes, as: type)
                )
            }
            let opacity = hasAlpha ? sample(bands - 1) : opaque
            for band in 0..<3 {
                let offset = (x * 3 + band) * sampleBytes
                let below = UInt32(row.loadUnaligned(fromByteOffset: offset, as: type))
                let above = sample(isGrey ? 0 : band)
                let mixed = (above * opacity + below * (opaque - opacity)) / opaque
                row.storeBytes(
                    of: Sample(truncatingIfNeeded: mixed), toByteOffset: offset, as: type)
            }
        }
    }
}

extension Range<Int> {
    fileprivate func shifted(by distance: Int) -> Range<Int> {
        lowerBound + distance..<upperBound + distance
    }
}
