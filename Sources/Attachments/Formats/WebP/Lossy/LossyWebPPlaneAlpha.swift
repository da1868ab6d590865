import AttachmentContainer
import AttachmentModel

/// Alpha of the samples of a lossy WebP image's planes: of each pixel for luma, and the mean of four
/// pixels for chroma.
final class LossyWebPPlaneAlpha {
    private let rows: LossyWebPAlpha
    private let height: Int
    private var y = 0
    private var luma: [UInt8]
    /// Sums of two pixels in the upper row of a row of chroma.
    private var sums: [UInt16]
    private var chroma: [UInt8]

    init(_ rows: LossyWebPAlpha, of size: PixelSize) {
        (self.rows, height) = (rows, size.height)
        // The last column of an odd width counts twice.
        luma = Array(repeating: 0, count: size.width + size.width % 2)
        sums = Array(repeating: 0, count: luma.count / 2)
        chroma = Array(repeating: 0, count: luma.count / 2)
    }

    /// Reads the next row; transparent where the colours are missing.
    func readRow(isBlank: Bool) throws(DecodingFault) {
        let row = try rows.readRow()
        luma.withUnsafeMutableBytes { luma in
            if isBlank {
                luma.initializeMemory(as: UInt8.self, repeating: 0)
            } else {
                luma.copyMemory(from: row)
                if luma.count > row.count { luma[row.count] = luma[row.count - 1] }
            }
        }
        if y % 2 == 0 { add(to: &sums) }
        if y % 2 == 1 || y == height - 1 { average() }
        y += 1
    }

    /// Alpha of the row of a plane that was read last.
    func withRow(ofPlane plane: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
        if plane == 0 { luma.withUnsafeBytes(body) } else { chroma.withUnsafeBytes(body) }
    }

    private func add(to sums: inout [UInt16]) {
        luma.withUnsafeBufferPointer { luma in
            sums.withUnsafeMutableBufferPointer { sums in
                for x in sums.indices {
                    sums[x] = UInt16(luma[2 &* x]) &+ UInt16(luma[2 &* x &+ 1])
                }
            }
        }
    }

    /// Both rows of a row of chroma; the last row of an odd height counts twice.
    private func average() {
        luma.withUnsafeBufferPointer { luma in
            sums.withUnsafeBufferPointer { sums in
                chroma.withUnsafeMutableBufferPointer { chroma in
                    for x in chroma.indices {
                        let lower = UInt16(luma[2 &* x]) &+ UInt16(luma[2 &* x &+ 1])
                        chroma[x] = UInt8(truncatingIfNeeded: (sums[x] &+ lower &+ 2) &>> 2)
                    }
                }
            }
        }
    }
}
