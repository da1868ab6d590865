import AttachmentContainer
import AttachmentDecoding

/// Turns a picture by a right angle and holds it.
///
/// - Parameters:
///   - image: The picture.
///   - turn: Which way.
///   - context: Where it is held.
/// - Returns: A function that builds the turned picture for one reading from top to bottom.
/// - Throws: `VipsError`.
func turn(
    _ image: VipsImage, _ turn: QuarterTurn, _ context: RenderingContext
) throws(VipsError) -> () throws(VipsError) -> VipsImage {
    guard let mapping = try scratch(for: image, context) else {
        let held = try image.inMemory()
        return { () throws(VipsError) in
            try held.applying("rot", ["angle": .name(turn == .clockwise ? "d90" : "d270")])
        }
    }
    var columns = ColumnBands(of: image, in: mapping)
    try image.forEachRow { columns.append($0) }
    let size = PixelSize(width: image.size.height, height: image.size.width)
    let (bands, isDeep, isGrey) = (image.bands, image.isDeep, image.isGrey)
    let profile = image.profile
    return { [columns] () throws(VipsError) in
        var next = 0
        return try .rows(
            size: size, bands: bands, isDeep: isDeep, colours: isGrey ? .grey : .rgb,
            profile: profile
        ) { row in
            columns.read(turn == .clockwise ? next : columns.width - 1 - next, turn, into: row)
            next += 1
            return true
        }
    }
}

/// A rotation by a right angle.
enum QuarterTurn {
    case clockwise
    case anticlockwise
}

/// A picture in a scratch file, in bands of columns: the rows of the first 64 columns, then those of
/// the next.
///
/// Writing goes over every page once, and so does reading columns in order. With rows as a whole
/// each column would touch every page of the file, which a tight cap makes the system read from the
/// disk again each time (measured: 60 s in place of 0.6 under 12 MiB).
private struct ColumnBands {
    private static let bandWidth = 64

    let width: Int
    private let height: Int
    private let pixelBytes: Int
    private let mapping: ScratchMapping
    private var rows = 0

    init(of image: VipsImage, in mapping: ScratchMapping) {
        width = image.size.width
        height = image.size.height
        pixelBytes = image.pixelBytes
        self.mapping = mapping
    }

    /// Takes the next row, from top to bottom.
    mutating func append(_ row: UnsafeRawBufferPointer) {
        for left in stride(from: 0, to: width, by: Self.bandWidth) {
            let count = min(Self.bandWidth, width - left) * pixelBytes
            let start = left * pixelBytes * height + rows * count
            UnsafeMutableRawBufferPointer(rebasing: mapping.bytes[start..<start + count])
                .copyMemory(
                    from: UnsafeRawBufferPointer(
                        rebasing: row[left * pixelBytes..<left * pixelBytes + count]))
        }
        rows += 1
        mapping.startWritingOut(after: row.count)
    }

    /// Gives one column: clockwise from bottom to top, else from top to bottom.
    func read(_ x: Int, _ turn: QuarterTurn, into row: UnsafeMutableRawBufferPointer) {
        let left = x / Self.bandWidth * Self.bandWidth
        let bandBytes = min(Self.bandWidth, width - left) * pixelBytes
        let start = left * pixelBytes * height + (x - left) * pixelBytes
        // All offsets lie in the mapping, which has room for every pixel, and in the row, which has
        // room for `height` of them.
        for y in 0..<height {
            let source = start + (turn == .clockwise ? height - 1 - y : y) * bandBytes
            for byte in 0..<pixelBytes {
                row[y * pixelBytes + byte] = mapping.bytes[source + byte]
            }
        }
    }
}
