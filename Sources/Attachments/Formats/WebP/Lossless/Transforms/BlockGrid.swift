/// Square blocks over an image; those at the right and bottom edges may be cut off.
struct BlockGrid {
    /// Side of a block as a power of two: 2 to 9.
    let bits: Int
    let width: Int
    let height: Int

    /// Reads the block size (RFC 9649, sections 3.5.1 and 3.7.2.2).
    init(_ source: BitSource, width: Int, height: Int) throws(DecodingFault) {
        self.init(bits: 2 + (try source.read(3)), width: width, height: height)
    }

    init(_ source: BitSource, transformedWidth width: Int, height: Int) throws(DecodingFault) {
        try self.init(source, width: width, height: height)
        guard count <= Self.maxTransformBlocks(width: width, height: height) else {
            throw source.fault(.limit, "its transforms change too often")
        }
    }

    private init(bits: Int, width: Int, height: Int) {
        self.bits = bits
        self.width = (width + 1 << bits - 1) >> bits
        self.height = (height + 1 << bits - 1) >> bits
    }

    /// Limit on the blocks of a transform; never falls as the image grows.
    ///
    /// libwebp uses blocks of 16 × 16 or larger. Smaller blocks occur if there are no more than
    /// 2,600 (`MAX_HUFF_IMAGE_SIZE`) or, in newer versions, 2^14 (`MAX_PREDICTOR_IMAGE_SIZE`). The
    /// slowest methods of early versions used 8 × 8 for any size; the limit admits those up to 4
    /// megapixels.
    static func maxTransformBlocks(width: Int, height: Int) -> Int {
        func blocks(_ bits: Int) -> Int {
            BlockGrid(bits: bits, width: width, height: height).count
        }
        return max(blocks(4), min(blocks(3), 1 << 16), min(blocks(2), 1 << 14))
    }

    var count: Int { width * height }

    @inline(__always)
    func index(x: Int, y: Int) -> Int { (y &>> bits) &* width &+ (x &>> bits) }

    @inline(__always)
    func end(x: Int) -> Int { ((x &>> bits) &+ 1) &<< bits }
}
