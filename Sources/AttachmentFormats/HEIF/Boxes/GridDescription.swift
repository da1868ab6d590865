internal import AttachmentContainer
internal import AttachmentModel

/// Contents of a grid item (ISO/IEC 23008-12, 6.6.2.3).
struct GridDescription {
    let columns: Int
    let rows: Int
    /// Size of the picture, which crops the last column and row of tiles.
    let size: PixelSize

    /// The fields take 8 or 12 bytes; later bytes are ignored.
    private static let maximumBytes = 12

    /// Parses the contents in the given file ranges.
    init(_ extents: [Range<Int>], of reader: BoundedReader) throws(HeaderFault) {
        var bytes: [Int] = []
        for extent in extents {
            for offset in extent.prefix(Self.maximumBytes - bytes.count) {
                bytes.append(Int(try reader.byte(at: offset)))
            }
        }
        let start = extents.first?.lowerBound ?? 0
        let isWide = bytes.count > 1 && bytes[1] & 1 == 1
        guard bytes.count >= (isWide ? 12 : 8), bytes[0] == 0 else {
            throw .corrupt("a grid without its description", at: start)
        }
        (rows, columns) = (bytes[2] + 1, bytes[3] + 1)
        let fields = bytes[4...]
        func number(_ index: Int) -> Int {
            let width = isWide ? 4 : 2
            return fields.dropFirst(index * width).prefix(width).reduce(0) { $0 << 8 | $1 }
        }
        size = try PixelSize(claimed: number(0), number(1))
    }
}
