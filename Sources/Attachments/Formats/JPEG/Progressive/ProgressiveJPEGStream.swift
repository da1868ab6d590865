package import AttachmentModel

/// Transcodes a progressive or multi-scan JPEG losslessly to a single-scan baseline JPEG while it
/// is read.
///
/// Each scan has a reader of its own. All readers process one row of units (T.81, A.2: MCU) before
/// any continues, and the row is encoded again. libjpeg-turbo decodes the stream to the same
/// samples at every scale, except that it does not smooth between blocks if a file omits low-order
/// bits.
package final class ProgressiveJPEGStream: SimplerFile {
    private enum Stage {
        case applications
        case segments
        case rows
        case failed(DecodingFault)
    }

    private let index: JPEGScanIndex
    private let file: OpenFile
    private let isTolerant: Bool
    private let notes: DecodingNotes
    private var stage = Stage.applications
    /// Up to the first scan: libjpeg fixes the colour interpretation there, so a later segment must
    /// not move before it.
    private var applications: JPEGSegmentReader?
    private var applicationBytes = 0
    private var segments: [UInt8]
    private var transcoder: JPEGRowTranscoder?
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
        index = try JPEGScanIndex(file, loadShrink: loadShrink, isTolerant: isTolerant)
        self.file = file
        self.isTolerant = isTolerant
        self.notes = notes
        var applications = JPEGSegmentReader(file, end: index.headerEnd)
        try applications.startOfImage()
        self.applications = consume applications
        segments = [0xFF, JPEGMarker.startOfImage]
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        guard !buffer.isEmpty else { return 0 }
        do throws(DecodingFault) {
            return try readNext(into: buffer)
        } catch {
            stage = .failed(error)
            throw error
        }
    }

    private func readNext(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        while true {
            if !segments.isEmpty { return takeSegments(into: buffer) }
            switch stage {
            case .applications:
                segments = try applications?.nextColourSegment(kept: &applicationBytes) ?? []
                guard segments.isEmpty else { continue }
                applications = nil
                segments = JPEGStreamHeader.segments(for: index)
                stage = .segments
            case .segments:
                transcoder = JPEGRowTranscoder(
                    index, in: file, isTolerant: isTolerant, notes: notes)
                stage = .rows
            case .rows:
                if coded.isEmpty, let transcoder { coded = try transcoder.next() }
                let count = min(buffer.count, coded.count)
                buffer.copyMemory(
                    from: UnsafeRawBufferPointer(
                        start: coded.baseAddress, count: count))
                coded = UnsafeBufferPointer(rebasing: coded[count...])
                return count
            case .failed(let fault):
                throw fault
            }
        }
    }

    private func takeSegments(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, segments.count)
        buffer.copyBytes(from: segments[..<count])
        segments.removeFirst(count)
        return count
    }
}
