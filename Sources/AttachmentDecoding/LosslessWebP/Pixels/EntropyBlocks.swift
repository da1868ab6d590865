/// Which group of prefix codes each block of a picture is coded with (RFC 9649, section 3.7.2.2).
final class EntropyBlocks {
    /// The blocks that a picture may have.
    ///
    /// libwebp makes 2,600 at the most (its `MAX_HUFF_IMAGE_SIZE`), and its early versions as many
    /// as 16 MiB of histograms were, about 3,500.
    static let mostBlocks = 1 << 13

    /// Which groups are used.
    let usage: GroupUsage
    private let grid: BlockGrid
    private let numbers: [UInt16]

    /// Reads the picture of the groups; nil when there is one group.
    ///
    /// - Parameters:
    ///   - source: Where it stands.
    ///   - width: Of the picture, in pixels.
    ///   - height: Of the picture.
    /// - Throws: `corrupt`, `overCeiling`, `truncated`, `unreadable`.
    init?(_ source: BitSource, width: Int, height: Int) throws(DecodingFault) {
        guard try source.readFlag() else { return nil }
        grid = try BlockGrid(source, width: width, height: height)
        guard grid.count <= Self.mostBlocks else {
            throw source.fault(.overCeiling, "its groups of codes change too often")
        }
        var image = try EntropyCodedImage(
            source, width: grid.width, height: grid.height, limits: .inner(), isMain: false)
        var numbers: [UInt16] = []
        numbers.reserveCapacity(grid.count)
        try image.forEachPixel { numbers.append(UInt16(truncatingIfNeeded: $0 >> 8)) }
        usage = GroupUsage(renumbering: &numbers)
        self.numbers = numbers
    }

    /// The group of a pixel, the column where the next block begins, and the row of blocks.
    @inline(__always)
    func run(x: Int, y: Int) -> (group: Int, end: Int, row: Int) {
        (Int(numbers[grid.index(x: x, y: y)]), grid.end(x: x), y &>> grid.bits)
    }
}
