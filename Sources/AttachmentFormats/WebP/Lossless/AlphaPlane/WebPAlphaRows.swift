package import AttachmentModel

/// Decodes the alpha plane of a lossy WebP image row by row (RFC 9649, section 2.7.1.2).
///
/// For a compressed plane, libwebp keeps five bytes per pixel; this decoder keeps a ring of coded
/// pixels. Quantised levels are not smoothed.
package final class WebPAlphaRows: DecodedRows {
    package let layout: RowLayout
    /// Always nil: the profile belongs to the colours.
    package let profile: [UInt8]? = nil
    private var values: AlphaValues
    private var filter: AlphaFilter
    private let isTolerant: Bool
    private var rowsLeft: Int
    private var fault: DecodingFault?
    /// True once rows are missing; the rest is returned as opaque.
    private var isMissing = false

    /// Reads the header, and the codes and transforms of a compressed plane.
    ///
    /// Ring and colour factors of more than 64 KB (2 MB at most) go to scratch files, or to the
    /// heap if `scratch` is nil. In tolerant mode, missing and damaged rows are opaque, so that the
    /// colours show.
    package convenience init(
        _ file: OpenFile, scratch: ScratchSpace? = nil, isTolerant: Bool
    ) throws(DecodingFault) {
        let container = try WebPContainer(
            file, isTolerant: isTolerant)
        try self.init(
            container, in: file, scratch: scratch, isTolerant: isTolerant)
    }

    /// Same, for a file whose container is already parsed.
    init(
        _ container: WebPContainer, in file: OpenFile, scratch: ScratchSpace?, isTolerant: Bool
    ) throws(DecodingFault) {
        guard !container.isLossless, let chunk = container.alpha else {
            throw DecodingFault(.unsupported, at: 12, "it has no alpha plane")
        }
        let size = try container.lossySize(in: file)
        guard container.canvas.map({ $0 == size }) ?? true else {
            throw DecodingFault(
                .corrupt, at: container.picture.lowerBound,
                "its image and its canvas differ in size")
        }
        guard !chunk.isEmpty else {
            throw DecodingFault(.truncated, at: chunk.lowerBound, "its alpha plane is missing")
        }
        var header = LittleEndianReader(
            file, over: chunk)
        let fields = try header.uint8()
        filter = AlphaFilter(AlphaFilter.Method(rawValue: fields >> 2 & 3) ?? .none)
        let data = chunk.lowerBound + 1..<chunk.upperBound
        switch fields & 3 {
        case 0:
            values = .plain(PlainAlpha(file, over: data))
        case 1:
            let source = BitSource(file, over: data)
            // libwebp leaves red and blue at 0 here, but its predictor produces two values of
            // alpha.
            values = .lossless(
                try LosslessPicture(
                    source, width: size.width, height: size.height,
                    limits: .init(pixelBytes: 2, isOpaque: false, scratch: scratch)))
        default:
            throw DecodingFault(
                .unsupported, at: chunk.lowerBound, "the compression of its alpha is unknown")
        }
        layout = RowLayout(width: size.width, height: size.height, bands: 1)
        rowsLeft = size.height
        self.isTolerant = isTolerant
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        if let fault { throw fault }
        precondition(row.count == layout.rowBytes, "the buffer does not have the size of a row")
        guard rowsLeft > 0 else { throw DecodingFault(.truncated, at: 0, "no rows are left") }
        rowsLeft -= 1
        // The caller lends the buffer for this call, and no other type is bound to its memory.
        let bytes = row.bindMemory(to: UInt8.self)
        guard !isMissing else { return bytes.update(repeating: .max) }
        do throws(DecodingFault) {
            try values.read(into: bytes)
            filter.undo(bytes)
        } catch {
            guard isTolerant, error.comesFromBytes else {
                fault = error
                throw error
            }
            isMissing = true
            bytes.update(repeating: .max)
        }
    }
}

/// Values of an alpha plane, still filtered.
private enum AlphaValues {
    /// Uncompressed, one byte per pixel.
    case plain(PlainAlpha)
    /// The green channel of a lossless image without a header.
    case lossless(LosslessPicture)

    func read(into row: UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) {
        switch self {
        case .plain(let plain):
            try plain.read(into: row)
        case .lossless(let picture):
            let pixels = try picture.nextRow()
            for x in row.indices { row[x] = UInt8(truncatingIfNeeded: pixels[x] >> 8) }
        }
    }
}

private final class PlainAlpha {
    private var window: FileWindow

    init(_ file: OpenFile, over range: Range<Int>) {
        window = FileWindow(file, over: range)
    }

    func read(into row: UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) {
        var done = 0
        while done < row.count {
            let taken = try window.copy(
                into: UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: row[done...])),
                atMost: row.count - done)
            guard taken > 0 else {
                throw DecodingFault(.truncated, at: window.offset, "its alpha plane ends too early")
            }
            done += taken
        }
    }
}
