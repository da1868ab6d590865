/// Decodes an image in WebP's lossless coding, from its transforms on (RFC 9649, section 3).
///
/// Keeps the pixels that back-references may reach, two rows, and the state of codes and
/// transforms.
final class LosslessPicture {
    let width: Int
    let height: Int
    private let source: BitSource
    private var transforms: InverseTransforms
    private var image: EntropyCodedImage

    /// Reads everything before the pixels.
    ///
    /// Each side is at most 2^14.
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

    /// Decodes the next row as ARGB words, alpha in the highest byte; valid until the next call.
    ///
    /// After a throw, no more rows can be read.
    func nextRow() throws(DecodingFault) -> UnsafePointer<UInt32> {
        try transforms.nextRow { (row) throws(DecodingFault) in try image.readRow(into: row) }
    }
}
