/// The rows of a lossless WebP picture, from a ring of coded pixels and not from a whole picture.
///
/// It reads simple and extended files with one picture; Exif and XMP are passed over. Rows have
/// alpha when the extended format says so, or in a simple file the picture itself: as libvips'
/// loader decides.
package final class LosslessWebPRows: DecodedRows {
    package let layout: RowLayout
    package let profile: [UInt8]?
    private let picture: LosslessPicture
    private let isTolerant: Bool
    private var rowsLeft: Int
    private var fault: DecodingFault?
    /// Whether the rest of the picture is missing, and given as zeros.
    private var isBlank = false

    /// Reads the header, the codes and the transforms.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - length: Its length, in bytes.
    ///   - scratch: Where pixels that back-references may reach lie, up to 4 MB, and factors of
    ///     colours, each when it is more than 64 KB. The default is nil, for the heap.
    ///   - isTolerant: Whether rows that are missing or damaged are given as zeros.
    /// - Throws: `corrupt`, `truncated`, `unsupported` for lossy pictures and animations,
    ///   `overCeiling`, `scratch`, `unreadable`.
    package convenience init(
        descriptor: CInt, length: Int, scratch: ScratchSpace? = nil, isTolerant: Bool
    ) throws(DecodingFault) {
        let container = try WebPContainer(
            descriptor: descriptor, length: length, isTolerant: isTolerant)
        try self.init(
            container, descriptor: descriptor, scratch: scratch, isTolerant: isTolerant)
    }

    /// Reads the header, the codes and the transforms of a picture whose place is known.
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
        guard container.isLossless else {
            throw DecodingFault(.unsupported, at: 12, "it is a lossy WebP picture")
        }
        let source = BitSource(descriptor: descriptor, over: container.picture)
        let header = try LosslessHeader(source)
        let size = WebPContainer.Size(width: header.width, height: header.height)
        guard container.canvas.map({ $0 == size }) ?? true else {
            throw source.fault(.corrupt, "its picture is not as large as its canvas")
        }
        let hasAlpha = container.canvas == nil ? header.hasAlpha : container.mayHaveAlpha
        let mayVary = hasAlpha || header.hasAlpha
        profile = try container.readProfile(descriptor: descriptor)
        picture = try LosslessPicture(
            source, width: size.width, height: size.height,
            limits: .init(
                pixelBytes: mayVary ? 4 : 3, isOpaque: !mayVary, scratch: scratch))
        layout = RowLayout(width: size.width, height: size.height, bands: hasAlpha ? 4 : 3)
        rowsLeft = size.height
        self.isTolerant = isTolerant
    }

    package func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        if let fault { throw fault }
        precondition(row.count == layout.rowBytes, "the room is not that of a row")
        guard rowsLeft > 0 else {
            throw DecodingFault(.truncated, at: 0, "no rows are left")
        }
        rowsLeft -= 1
        guard !isBlank else {
            row.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        do throws(DecodingFault) {
            let pixels = try picture.nextRow()
            if layout.bands == 4 {
                PixelSamples.writeRGBA(pixels, count: layout.width, to: row)
            } else {
                PixelSamples.writeRGB(pixels, count: layout.width, to: row)
            }
        } catch {
            guard isTolerant, error.code != .unreadable else {
                fault = error
                throw error
            }
            isBlank = true
            row.initializeMemory(as: UInt8.self, repeating: 0)
        }
    }
}

/// What stands in front of the transforms of a `VP8L` picture (RFC 9649, section 3.4).
struct LosslessHeader {
    let width: Int
    let height: Int
    /// Whether the encoder says that pixels are transparent.
    let hasAlpha: Bool

    /// Reads a header.
    ///
    /// - Parameter source: The start of the chunk's data.
    /// - Throws: `corrupt`, `unsupported`, `truncated`, `unreadable`.
    init(_ source: BitSource) throws(DecodingFault) {
        guard try source.read(8) == 0x2F else {
            throw source.fault(.corrupt, "it is no lossless WebP picture")
        }
        width = 1 + (try source.read(14))
        height = 1 + (try source.read(14))
        hasAlpha = try source.readFlag()
        guard try source.read(3) == 0 else {
            throw source.fault(.unsupported, "its version of lossless WebP is not known")
        }
    }
}
