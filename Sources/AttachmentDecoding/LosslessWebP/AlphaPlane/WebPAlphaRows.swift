/// The alpha plane of a lossy WebP picture, row by row (RFC 9649, section 2.7.1.2).
///
/// libwebp keeps five bytes for every pixel while it decodes a plane that is compressed; this keeps
/// a ring of coded pixels. Levels that the encoder has reduced are given as they are.
package final class WebPAlphaRows: DecodedRows {
    package let layout: RowLayout
    /// Always nil: the profile is that of the colours.
    package let profile: [UInt8]? = nil
    private var values: AlphaValues
    private var filter: AlphaFilter
    private let isTolerant: Bool
    private var rowsLeft: Int
    private var fault: DecodingFault?
    /// Whether the rest of the plane is missing, and given as opaque.
    private var isMissing = false

    /// Reads the header, and where the plane is compressed its codes and transforms.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - length: Its length, in bytes.
    ///   - scratch: Where pixels that back-references may reach lie, up to 2 MB, and factors of
    ///     colours, each when it is more than 64 KB. The default is nil, for the heap.
    ///   - isTolerant: Whether rows that are missing or damaged are given as opaque, so that the
    ///     colours show.
    /// - Throws: `corrupt`, `truncated`, `unsupported` for files without such a plane, `overCeiling`,
    ///   `scratch`, `unreadable`.
    package convenience init(
        descriptor: CInt, length: Int, scratch: ScratchSpace? = nil, isTolerant: Bool
    ) throws(DecodingFault) {
        let container = try WebPContainer(
            descriptor: descriptor, length: length, isTolerant: isTolerant)
        try self.init(
            container, descriptor: descriptor, scratch: scratch, isTolerant: isTolerant)
    }

    /// Reads the header of the plane of a picture whose place is known.
    ///
    /// - Parameters:
    ///   - container: Where its parts lie.
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - scratch: As for a file.
    ///   - isTolerant: As for a file.
    /// - Throws: As for a file.
    init(
        _ container: WebPContainer, descriptor: CInt, scratch: ScratchSpace?, isTolerant: Bool
    ) throws(DecodingFault) {
        guard !container.isLossless, let chunk = container.alpha else {
            throw DecodingFault(.unsupported, at: 12, "it has no alpha plane")
        }
        let size = try container.lossySize(descriptor: descriptor)
        guard container.canvas.map({ $0 == size }) ?? true else {
            throw DecodingFault(
                .corrupt, at: container.picture.lowerBound,
                "its picture is not as large as its canvas")
        }
        guard !chunk.isEmpty else {
            throw DecodingFault(.truncated, at: chunk.lowerBound, "its alpha plane is missing")
        }
        var header = LittleEndianReader(
            descriptor: descriptor, from: chunk.lowerBound, length: chunk.upperBound)
        let fields = try header.uint8()
        filter = AlphaFilter(AlphaFilter.Method(rawValue: fields >> 2 & 3) ?? .none)
        let data = chunk.lowerBound + 1..<chunk.upperBound
        switch fields & 3 {
        case 0:
            values = .plain(PlainAlpha(descriptor: descriptor, over: data))
        case 1:
            let source = BitSource(descriptor: descriptor, over: data)
            // libwebp leaves red and blue at 0, and its predictor has two values of alpha.
            values = .lossless(
                try LosslessPicture(
                    source, width: size.width, height: size.height,
                    limits: .init(pixelBytes: 2, isOpaque: false, scratch: scratch)))
        default:
            throw DecodingFault(
                .unsupported, at: chunk.lowerBound, "the compression of its alpha is not known")
        }
        layout = RowLayout(width: size.width, height: size.height, bands: 1)
        rowsLeft = size.height
        self.isTolerant = isTolerant
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        if let fault { throw fault }
        precondition(row.count == layout.rowBytes, "the room is not that of a row")
        guard rowsLeft > 0 else { throw DecodingFault(.truncated, at: 0, "no rows are left") }
        rowsLeft -= 1
        // The room is the caller's for this call, and bytes are of no other type.
        let bytes = row.bindMemory(to: UInt8.self)
        guard !isMissing else { return bytes.update(repeating: .max) }
        do throws(DecodingFault) {
            try values.read(into: bytes)
            filter.undo(bytes)
        } catch {
            guard isTolerant, error.code != .unreadable else {
                fault = error
                throw error
            }
            isMissing = true
            bytes.update(repeating: .max)
        }
    }
}

/// The values of an alpha plane before its filter is undone.
private enum AlphaValues {
    /// One byte after the other.
    case plain(PlainAlpha)
    /// The green of a lossless picture without a header.
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

/// An alpha plane that is not compressed.
private final class PlainAlpha {
    private var window: FileWindow

    init(descriptor: CInt, over range: Range<Int>) {
        window = FileWindow(descriptor: descriptor, over: range)
    }

    func read(into row: UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) {
        var done = 0
        while done < row.count {
            var taken = 0
            try window.withBytes { (bytes) throws(DecodingFault) in
                taken = min(bytes.count, row.count - done)
                for index in 0..<taken { row[done + index] = bytes[index] }
                return taken
            }
            guard taken > 0 else {
                throw DecodingFault(.truncated, at: window.offset, "its alpha plane ends too early")
            }
            done += taken
        }
    }
}
