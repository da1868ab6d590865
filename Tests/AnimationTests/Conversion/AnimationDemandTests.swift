import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Testing

/// Predictions are compared with measurements in `LargeAnimationTests` and `CapTests`.
@Suite("Predicted memory of an animation conversion")
struct AnimationDemandTests {
    @Test("Never falls as an animation grows, and is always finite")
    func monotony() throws {
        for coding in [GIFCoding(), WebPCoding.lossy, PNGCoding()] as [any PictureCoding] {
            var before = 0.0
            for side in [Int.min, -1, 0, 1, 100, 1080, 16_383, 65_535, .max] {
                let header = AttachmentHeader(
                    coding, storedSize: PixelSize(width: side, height: side), colourModel: .rgb,
                    fileBytes: ByteCount(0))
                let decoder = try #require(
                    coding.animationDemand(
                        of: header,
                        DecodingConditions(
                            usesScratch: true, placesLargeBlocks: false,
                            requestedSize: header.storedSize)))
                let now = AnimationDemand.bytes(
                    decoder: decoder,
                    AnimationDemand.Geometry(
                        width: side, height: side, outputWidth: 1320, outputHeight: 8192),
                    frames: min(side, 3000))
                #expect(now >= before)
                #expect(now.isFinite)
                before = now
            }
        }
    }
}
