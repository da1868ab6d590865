/// Prefix-code group of each block of an image (RFC 9649, section 3.7.2.2).
final class EntropyBlocks {
    /// libwebp creates up to 2,600 (`MAX_HUFF_IMAGE_SIZE`); early versions created about 3,500.
    static let maxBlocks = 1 << 13

    let usage: GroupUsage
    private let grid: BlockGrid
    private let numbers: [UInt16]

    init?(_ source: BitSource, width: Int, height: Int) throws(DecodingFault) {
        guard try source.readFlag() else { return nil }
        grid = try BlockGrid(source, width: width, height: height)
        guard grid.count <= Self.maxBlocks else {
            throw source.fault(.limit, "its groups of codes change too often")
        }
        var image = try EntropyCodedImage(nestedIn: source, width: grid.width, height: grid.height)
        var numbers: [UInt16] = []
        numbers.reserveCapacity(grid.count)
        try image.forEachPixel { numbers.append(UInt16(truncatingIfNeeded: $0 >> 8)) }
        usage = GroupUsage(renumbering: &numbers)
        self.numbers = numbers
    }

    @inline(__always)
    func run(x: Int, y: Int) -> (group: Int, end: Int, row: Int) {
        (Int(numbers[grid.index(x: x, y: y)]), grid.end(x: x), y &>> grid.bits)
    }
}
