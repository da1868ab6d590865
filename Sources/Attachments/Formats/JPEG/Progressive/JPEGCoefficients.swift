package import AttachmentModel

/// The coefficients of a JPEG of several scans, a row of units at a time, for libjpeg's transform.
///
/// libjpeg-turbo makes the same samples of them as of the file at every scale, except that it does not
/// smooth between blocks if a file omits low-order bits.
package final class JPEGCoefficients {
    /// The header of a sequential JPEG with one scan, and an end marker in place of the scan's data.
    package let header: any SimplerFile
    /// Filled by ``readRow(_:)``, and left blank by the reader.
    package let row: JPEGCoefficientRow
    private let decoder: JPEGRowDecoder

    /// Reads the file once to find its scans.
    ///
    /// `loadShrink` is the divisor at which the coefficients will be transformed: 1, 2, 4 or 8. In tolerant
    /// mode, damage is treated as in libjpeg, and the scans of a truncated file make an image.
    package init(
        _ file: OpenFile, loadShrink: Int, isTolerant: Bool, notes: DecodingNotes = DecodingNotes()
    ) throws(DecodingFault) {
        let index = try JPEGScanIndex(file, loadShrink: loadShrink, isTolerant: isTolerant)
        header = try ProgressiveJPEGHeader(index, of: file, end: [0xFF, JPEGMarker.endOfImage])
        row = JPEGCoefficientRow(
            of: index.frame, neededCoefficients: index.neededCoefficients)
        decoder = JPEGRowDecoder(
            index, in: file, into: row, isTolerant: isTolerant, notes: notes)
    }

    /// Reads a row of units, each once and in order.
    package func readRow(_ number: Int) throws(DecodingFault) { try decoder.readRow(number) }
}
