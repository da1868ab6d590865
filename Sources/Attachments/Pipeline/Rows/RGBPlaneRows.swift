import AttachmentContainer
import AttachmentFormats
import AttachmentModel
internal import CResampler

/// Planes of YCbCr as planes of RGB at the size of luma, because the mean of light is none of YCbCr.
///
/// Chroma of half the size is interpolated by a triangle filter, as libjpeg does; other chroma is
/// repeated.
final class RGBPlaneRows: PlaneRows {
    let layout: PlaneLayout
    private let source: any PlaneRows
    private let chroma: (size: PixelSize, isHalvedAcross: Bool, isHalvedDown: Bool)
    /// Chroma rows and columns per row and column of luma.
    private let steps: (across: Double, down: Double)
    /// Rows of each source plane that wait for others.
    private var waiting: [WaitingRows]
    /// Rows of both chroma planes at the width of luma, and the three results.
    private var rows: [UInt8]
    private var y = 0

    /// Converts planes of YCbCr, grey not included.
    init(_ source: any PlaneRows) {
        let planes = source.layout.planes
        let (luma, halved) = (planes[0], planes[1])
        self.source = source
        layout = PlaneLayout(colours: .rgbPlanes, planes: Array(repeating: luma, count: 3))
        steps = (
            halved.covered.width / luma.covered.width, halved.covered.height / luma.covered.height
        )
        chroma = (
            halved.size,
            steps.across == 0.5 && halved.size.width == (luma.size.width + 1) / 2,
            steps.down == 0.5
        )
        waiting = planes.map { WaitingRows(width: $0.size.width) }
        rows = Array(repeating: 0, count: 5 * luma.size.width)
    }

    var profile: [UInt8]? { source.profile }
    var tags: ColourTags? { source.tags }
    var notes: [String] { source.notes }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        let isMore = try source.next { plane, samples in waiting[plane].append(samples) }
        let first = y
        while let (near, far) = nextChroma(isLast: !isMore) {
            convert(near, far)
            rows.withUnsafeBytes { bytes in
                let width = layout.planes[0].size.width
                // A row is not empty.
                guard let start = bytes.baseAddress else { return }
                for plane in 0..<3 { row(plane, start + (2 + plane) * width) }
            }
            y += 1
        }
        waiting[0].dropRows(before: y)
        // The chroma row before may be interpolated with the next.
        let needed = Int(Double(y) * steps.down) - 1
        for plane in 1...2 { waiting[plane].dropRows(before: needed) }
        return isMore || y > first
    }

    /// Chroma rows for the next row of luma; nil if rows are missing.
    private func nextChroma(isLast: Bool) -> (near: Int, far: Int)? {
        let received = min(waiting[1].end, waiting[2].end)
        guard y < waiting[0].end, received > 0 else { return nil }
        let last = chroma.size.height - 1
        let near = min(last, Int((Double(y) + 0.5) * steps.down))
        let far = chroma.isHalvedDown ? min(last, max(0, near + (y % 2 == 0 ? -1 : 1))) : near
        if max(near, far) < received { return (near, far) }
        // A damaged file may end early.
        return isLast ? (min(near, received - 1), min(far, received - 1)) : nil
    }

    private func convert(_ near: Int, _ far: Int) {
        let width = layout.planes[0].size.width
        rows.withUnsafeMutableBufferPointer { rows in
            // A row is not empty.
            guard let start = rows.baseAddress else { return }
            for plane in 1...2 {
                let widened = (plane - 1) * width..<plane * width
                waiting[plane].withRows(near, far) { near, far in
                    widen(near, far, into: UnsafeMutableBufferPointer(rebasing: rows[widened]))
                }
            }
            var rgb = (2...4).map { Optional(start + $0 * width) }
            waiting[0].withRows(y, y) { luma, _ in
                thimble_ycc_to_rgb(
                    luma, start, start + width, &rgb, CInt(width), THIMBLE_VECTORS_BEST)
            }
        }
    }

    private func widen(
        _ near: UnsafePointer<UInt8>, _ far: UnsafePointer<UInt8>,
        into row: UnsafeMutableBufferPointer<UInt8>
    ) {
        let count = chroma.size.width
        guard chroma.isHalvedAcross else {
            for x in row.indices {
                let column = min(count - 1, Int((Double(x) + 0.5) * steps.across))
                row[x] = UInt8((3 * Int(near[column]) + Int(far[column]) + 2) >> 2)
            }
            return
        }
        thimble_double_chroma(
            near, far, CInt(count), row.baseAddress, CInt(row.count), THIMBLE_VECTORS_BEST)
    }
}

/// The last rows of a plane.
private struct WaitingRows {
    private let width: Int
    private var samples: [UInt8] = []
    /// Number of the first row, and of the row after the last.
    private var first = 0
    var end: Int { first + samples.count / width }

    init(width: Int) { self.width = width }

    mutating func append(_ row: UnsafeRawPointer) {
        samples += UnsafeRawBufferPointer(start: row, count: width)
    }

    mutating func dropRows(before row: Int) {
        guard row > first else { return }
        samples.removeFirst((row - first) * width)
        first = row
    }

    func withRows(
        _ one: Int, _ other: Int, _ body: (UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Void
    ) {
        samples.withUnsafeBufferPointer { samples in
            // Both rows are among those held.
            guard let start = samples.baseAddress else { return }
            body(start + (one - first) * width, start + (other - first) * width)
        }
    }
}
