import AttachmentAnimation
import AttachmentPlanning
import Testing

@Suite("Predicted memory of an animation conversion")
struct AnimationDemandTests {
    @Test("Covers measurements, by at most a factor of two and 2 MB")
    func measured() {
        // Growth of anonymous memory in bytes, as in the documentation of the demand.
        let figures: [(Double, Double)] = [
            (
                AnimationDemand.bytes(
                    format: .gif, width: 1080, height: 1080, outputWidth: 265, frames: 120),
                1_500_000
            ),
            (
                AnimationDemand.bytes(
                    format: .webp, width: 1080, height: 1080, outputWidth: 375, frames: 60),
                1_700_000
            ),
            (
                AnimationDemand.bytes(
                    format: .png, width: 320, height: 240, outputWidth: 320, frames: 101),
                1_450_000
            ),
        ]
        for (demand, measured) in figures {
            #expect(demand >= measured)
            #expect(demand <= 2 * measured + 2_000_000)
        }
    }

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
