package import AttachmentModel

/// Transcodes a progressive or multi-scan JPEG losslessly to a single-scan baseline JPEG while it
/// is read.
///
/// Each scan has a reader of its own. All readers process one row of units (T.81, A.2: MCU) before
/// any continues, and the row is encoded again. libjpeg-turbo decodes the stream to the same
/// samples at every scale, except that it does not smooth between blocks if a file omits low-order
/// bits.
package final class ProgressiveJPEGStream: SimplerFile {
    private let header: ProgressiveJPEGHeader
    private let makeTranscoder: () -> JPEGRowTranscoder
    private var transcoder: JPEGRowTranscoder?
    private var fault: DecodingFault?
    /// Transcoder output not yet returned; valid until the transcoder's next call.
    private var coded = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

    /// Reads the file once to find its scans.
    ///
    /// `loadShrink` is the divisor at which the stream will be decoded: 1, 2, 4 or 8. Coefficients
    /// that libjpeg-turbo does not read at that scale are dropped. In tolerant mode, damage is
    /// treated as in libjpeg, and the scans of a truncated file make an image.
    package init(
        _ file: OpenFile, loadShrink: Int, isTolerant: Bool, notes: DecodingNotes = DecodingNotes()
    ) throws(DecodingFault) {
        let index = try JPEGScanIndex(file, loadShrink: loadShrink, isTolerant: isTolerant)
        header = try ProgressiveJPEGHeader(index, of: file)
        makeTranscoder = {
            JPEGRowTranscoder(index, in: file, isTolerant: isTolerant, notes: notes)
        }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        guard !buffer.isEmpty else { return 0 }
        if let fault { throw fault }
        do throws(DecodingFault) {
            let count = try header.read(into: buffer)
            return try count > 0 ? count : readScan(into: buffer)
        } catch {
            fault = error
            throw error
        }
    }

    private func readScan(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        let transcoder = transcoder ?? makeTranscoder()
        self.transcoder = transcoder
        if coded.isEmpty { coded = try transcoder.next() }
        let count = min(buffer.count, coded.count)
        buffer.copyMemory(from: UnsafeRawBufferPointer(start: coded.baseAddress, count: count))
        coded = UnsafeBufferPointer(rebasing: coded[count...])
        return count
    }
}
