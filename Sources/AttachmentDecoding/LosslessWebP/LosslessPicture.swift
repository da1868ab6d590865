/// A picture in the lossless coding of WebP, without what stands in front of its transforms
/// (RFC 9649, section 3).
///
/// It keeps the pixels that back-references may reach, two rows, and what its codes and transforms
/// need.
final class LosslessPicture {
    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    private let source: BitSource
    private var transforms: InverseTransforms
    private var image: EntropyCodedImage

    /// Reads what stands in front of the pixels.
    ///
    /// - Parameters:
    ///   - source: The first transform.
    ///   - width: Pixels in a row, at most 2^14.
    ///   - height: Rows, at most 2^14.
    ///   - limits: What may be kept of a pixel, and where.
    /// - Throws: `corrupt`, `overCeiling`, `scratch`, `truncated`, `unreadable`.
    init(
        _ source: BitSource, width: Int, height: Int, limits: EntropyCodedImage.Limits
    ) throws(DecodingFault) {
        (self.source, self.width, self.height) = (source, width, height)
        let transforms = try InverseTransforms(
            source, width: width, height: height, scratch: limits.scratch)
        image = try EntropyCodedImage(
            source, width: transforms.codedWidth, height: height, limits: limits, isMain: true)
        self.transforms = transforms
    }

    /// Decodes the next row.
    ///
    /// - Returns: Its pixels, until the next call: alpha in the highest byte, then red, green and
    ///   blue.
    /// - Throws: `corrupt`, `truncated`, `unreadable`; then no more rows can be read.
    func nextRow() throws(DecodingFault) -> UnsafePointer<UInt32> {
        try transforms.nextRow { (row) throws(DecodingFault) in try image.readRow(into: row) }
    }
}
