import AttachmentContainer
import Randomness
import Testing

@testable import AttachmentPipeline

@Suite("Held planes")
struct HeldPlaneTests {
    /// Around the eight pixels that are written at once, and the 64 columns of a stripe.
    @Test(
        "Samples of planes become the bands of pixels, as whole rows or in stripes",
        arguments: [1, 7, 8, 9, 15, 17, 63, 64, 65, 130], [false, true])
    func weaving(width: Int, isReadByColumns: Bool) throws {
        var random = SplitMix64(seed: UInt64(width))
        let size = PixelSize(width: width, height: 3)
        for (bands, count) in [(3, 1), (4, 2)] {
            let plane = try HeldPlane(
                size, bands: bands, isReadByColumns: isReadByColumns, scratch: nil)
            for y in 0..<size.height {
                var pixels = [UInt8](repeating: 0, count: bands * width)
                for band in 0..<3 {
                    let row = (0..<count * width).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
                    let isWithAlpha = count == 2 && band == 0
                    row.withUnsafeBufferPointer {
                        plane.write($0, of: count, at: y, band: band, isWithAlpha: isWithAlpha)
                    }
                    for x in 0..<width {
                        pixels[bands * x + band] = row[count * x]
                        if isWithAlpha { pixels[bands * x + 3] = row[count * x + 1] }
                    }
                }
                #expect(Self.row(y, of: plane, bands: bands, isReadByColumns) == pixels)
            }
        }
    }

    private static func row(
        _ y: Int, of plane: HeldPlane, bands: Int, _ isReadByColumns: Bool
    ) -> [UInt8] {
        var row = [UInt8](repeating: 0, count: bands * plane.size.width)
        row.withUnsafeMutableBufferPointer { row in
            guard isReadByColumns else {
                return plane.read(line: y, 0..<plane.size.width, reversed: false, into: row)
            }
            for x in 0..<plane.size.width {
                let pixel = UnsafeMutableBufferPointer(rebasing: row[bands * x..<bands * (x + 1)])
                plane.read(line: x, y..<y + 1, reversed: false, into: pixel)
            }
        }
        return row
    }
}
