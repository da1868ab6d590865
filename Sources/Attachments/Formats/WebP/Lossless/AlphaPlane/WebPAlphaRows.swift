import AttachmentContainer
package import AttachmentModel

/// Alpha plane of a lossy WebP image (RFC 9649, section 2.7.1.2); quantised levels stay unsmoothed.
package final class WebPAlphaRows: DecodedRows {
    package let layout: RowLayout
    package let profile: [UInt8]? = nil
    /// The values as the green channel of an image without a header; nil if they are plain bytes.
    private let picture: LosslessPicture?
    private var plain: FileWindow?
    private var filter: AlphaFilter
    private var sequence: RowSequence

    /// Without `scratch`, ring and colour factors (2 MB at most) are on the heap.
    ///
    /// In tolerant mode, missing and damaged rows are opaque, so that the colours show.
    package convenience init(
        _ file: OpenFile, scratch: ScratchSpace? = nil, isTolerant: Bool
    ) throws(DecodingFault) {
        let container = try WebPContainer(file, isTolerant: isTolerant)
        try self.init(container, in: file, scratch: scratch, isTolerant: isTolerant)
    }

    init(
        _ container: WebPContainer, in file: OpenFile, scratch: ScratchSpace?, isTolerant: Bool
    ) throws(DecodingFault) {
        guard !container.isLossless, let chunk = container.alpha else {
            throw DecodingFault(.unsupported, at: 12, "it has no alpha plane")
        }
        let size = try container.lossySize(in: file)
        guard !chunk.isEmpty else {
            throw DecodingFault(.truncated, at: chunk.lowerBound, "its alpha plane is missing")
        }
        var header = LittleEndianReader(file, over: chunk)
        let fields = try header.uint8()
        filter = AlphaFilter(AlphaFilter.Method(rawValue: fields >> 2 & 3) ?? .none)
        let data = chunk.lowerBound + 1..<chunk.upperBound
        switch fields & 3 {
        case 0:
            picture = nil
            plain = FileWindow(file, over: data)
        case 1:
            let source = BitSource(file, over: data)
            // libwebp leaves red and blue at 0 here, but its predictor produces two values of
            // alpha.
            picture = try LosslessPicture(
                source, width: size.width, height: size.height,
                limits: .init(pixelBytes: 2, isOpaque: false, scratch: scratch))
            plain = nil
        default:
            throw DecodingFault(
                .unsupported, at: chunk.lowerBound, "the compression of its alpha is unknown")
        }
        layout = RowLayout(width: size.width, height: size.height, bands: 1)
        sequence = RowSequence(layout, isTolerant: isTolerant, blank: .max)
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        // The caller lends the buffer for this call, and no other type is bound to its memory.
        let bytes = row.bindMemory(to: UInt8.self)
        try sequence.next(into: row) { _ throws(DecodingFault) in
            try readValues(into: bytes)
            filter.undo(bytes)
        }
    }

    private func readValues(into row: UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) {
        if let picture {
            let pixels = try picture.nextRow()
            for x in row.indices { row[x] = UInt8(truncatingIfNeeded: pixels[x] >> 8) }
            return
        }
        let bytes = UnsafeMutableRawBufferPointer(row)
        var done = 0
        while done < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
            let taken = try plain?.copy(into: rest, atMost: rest.count) ?? 0
            guard taken > 0 else {
                let offset = plain?.offset ?? 0
                throw DecodingFault(.truncated, at: offset, "its alpha plane ends too early")
            }
            done += taken
        }
    }
}
