import AttachmentContainer
import Testing

@testable import AttachmentPipeline

@Suite("Estimate of a picture's colours")
struct ColourEstimateTests {
    @Test(
        "The estimate is within a tenth, and never below the number by more than a percent",
        arguments: [1, 300, 20_000, 400_000, 1_500_000])
    func counts(colours: Int) {
        let size = PixelSize(width: 1500, height: 1000)
        // Each colour about equally often, in the order of an odd stride.
        let pixels = PackedPixels(size, bands: 4) { y, row in
            for x in 0..<size.width {
                let colour = UInt32((y * size.width + x) % colours)
                row[4 * x] = UInt8(truncatingIfNeeded: colour)
                row[4 * x + 1] = UInt8(truncatingIfNeeded: colour >> 8)
                row[4 * x + 2] = UInt8(truncatingIfNeeded: colour >> 16)
                row[4 * x + 3] = 255
            }
        }
        let estimate = ColourEstimate(of: pixels).count
        #expect(Double(estimate) >= 0.99 * Double(colours))
        #expect(Double(estimate) <= 1.1 * Double(colours) + 1)
    }
}
