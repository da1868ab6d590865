import AttachmentAnimation
import AttachmentPlanning
import Testing

/// Predictions are compared with measurements in `LargeAnimationTests` and `CapTests`.
@Suite("Predicted memory of an animation conversion")
struct AnimationDemandTests {
    @Test("Never falls as an animation grows, and is always finite")
    func monotony() {
        for format in [AttachmentFormat.gif, .webp, .png] {
            var before = 0.0
            for side in [Int.min, -1, 0, 1, 100, 1080, 16_383, 65_535, .max] {
                let now = AnimationDemand.bytes(
                    format: format, width: side, height: side, outputWidth: min(side, 1320),
                    frames: min(side, 3000))
                #expect(now >= before)
                #expect(now.isFinite)
                before = now
            }
        }
    }
}
