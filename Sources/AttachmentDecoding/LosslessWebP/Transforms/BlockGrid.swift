/// Square blocks over a picture, from the top left; those at the right and at the bottom may be cut.
struct BlockGrid {
    /// The side of a block, as a power of two: 2 to 9.
    let bits: Int
    /// Blocks across.
    let width: Int
    /// Blocks down.
    let height: Int

    /// Reads how large blocks are (RFC 9649, sections 3.5.1 and 3.7.2.2).
    ///
    /// - Parameters:
    ///   - source: Where it stands.
    ///   - width: Of the picture, in pixels.
    ///   - height: Of the picture.
    /// - Throws: `truncated`, `unreadable`.
    init(_ source: BitSource, width: Int, height: Int) throws(DecodingFault) {
        self.init(bits: 2 + (try source.read(3)), width: width, height: height)
    }

    /// Reads how large the blocks of a transform are.
    ///
    /// - Parameters:
    ///   - source: Where it stands.
    ///   - width: Of the picture, in pixels.
    ///   - height: Of the picture.
    /// - Throws: `overCeiling`, `truncated`, `unreadable`.
    init(_ source: BitSource, transformedWidth width: Int, height: Int) throws(DecodingFault) {
        try self.init(source, width: width, height: height)
        guard count <= Self.mostTransformed(width: width, height: height) else {
            throw source.fault(.overCeiling, "its transforms change too often")
        }
    }

    private init(bits: Int, width: Int, height: Int) {
        self.bits = bits
        self.width = (width + 1 << bits - 1) >> bits
        self.height = (height + 1 << bits - 1) >> bits
    }

    /// How many blocks a transform of a picture may have.
    ///
    /// libwebp makes blocks of 16 × 16 or larger, and smaller ones where there are then no more than
    /// 2,600 (its `MAX_HUFF_IMAGE_SIZE`) or, in newer versions, 2^14 (`MAX_PREDICTOR_IMAGE_SIZE`).
    /// The slowest methods of its early versions made 8 × 8 of pictures of any size, of which those
    /// up to 4 megapixels are let in.
    ///
    /// - Parameters:
    ///   - width: Of the picture, in pixels.
    ///   - height: Of the picture.
    /// - Returns: The ceiling, which never falls as a picture grows.
    static func mostTransformed(width: Int, height: Int) -> Int {
        func blocks(_ bits: Int) -> Int {
            BlockGrid(bits: bits, width: width, height: height).count
        }
        return max(blocks(4), min(blocks(3), 1 << 16), min(blocks(2), 1 << 14))
    }

    /// How many blocks there are.
    var count: Int { width * height }

    /// The number of the block of a pixel, row by row.
    @inline(__always)
    func index(x: Int, y: Int) -> Int { (y &>> bits) &* width &+ (x &>> bits) }

    /// The column where the block after that of a pixel begins.
    @inline(__always)
    func end(x: Int) -> Int { ((x &>> bits) &+ 1) &<< bits }
}
