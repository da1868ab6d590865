import AttachmentModel

/// The header of a JPEG of several scans, rewritten for one sequential scan of all components.
final class ProgressiveJPEGHeader: SimplerFile {
    private let index: JPEGScanIndex
    /// Up to the first scan: libjpeg fixes the colour interpretation there, so a later segment must
    /// not move before it.
    private var applications: JPEGSegmentReader?
    private var applicationBytes = 0
    private var segments: [UInt8] = [0xFF, JPEGMarker.startOfImage]
    private let end: [UInt8]

    /// `end` follows the header of the scan.
    init(
        _ index: JPEGScanIndex, of file: OpenFile, end: [UInt8] = []
    ) throws(DecodingFault) {
        self.index = index
        self.end = end
        var applications = JPEGSegmentReader(file, end: index.headerEnd)
        try applications.startOfImage()
        self.applications = consume applications
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        if segments.isEmpty {
            segments = try applications?.nextColourSegment(kept: &applicationBytes) ?? []
            if segments.isEmpty, applications != nil {
                applications = nil
                segments = JPEGStreamHeader.segments(for: index) + end
            }
        }
        let count = min(buffer.count, segments.count)
        buffer.copyBytes(from: segments[..<count])
        segments.removeFirst(count)
        return count
    }
}
