@testable import AttachmentFormats
import Testing

@Suite("Predicted memory of the lossy WebP decoder")
struct LossyWebPDemandTests {
    private func demand(
        _ width: Int, _ height: Int, scaled: Int = 1, hasAlpha: Bool = false, profile: Int = 0
    ) -> Double {
        LossyWebPDemand.bytes(
            width: width, height: height, scaledWidth: width / scaled,
            scaledHeight: height / scaled, hasAlpha: hasAlpha, profileBytes: profile)
    }

    @Test("Covers measurements, by at most a factor of two and 1 MB")
    func measured() {
        // Anonymous memory in bytes, as in the documentation of the demand.
        let figures: [(Double, Double)] = [
            (demand(4032, 3024), 410_000), (demand(4032, 3024, hasAlpha: true), 570_000),
            (demand(8064, 6048), 790_000), (demand(16_383, 5000), 2_120_000),
        ]
        for (demand, measured) in figures {
            #expect(demand >= measured)
            #expect(demand <= 2 * measured + 1_000_000)
        }
    }

    @Test("Never falls as an image grows, and is always finite")
    func monotony() {
        for hasAlpha in [false, true] {
            var before = 0.0
            for side in [Int.min, -1, 0, 1, 16, 17, 100, 300, 1000, 4032, 16_383, .max] {
                let now = demand(side, side, hasAlpha: hasAlpha)
                #expect(now >= before)
                #expect(now.isFinite)
                #expect(demand(side, side, hasAlpha: hasAlpha, profile: 5000) == now + 5000)
                before = now
            }
        }
        #expect(demand(4032, 3024, scaled: 3) <= demand(4032, 3024))
    }

    @Test("Includes the decoder's heap limits")
    func limits() {
        #expect(LossyPictureDecoder.heapLimit == 65_536)
        #expect(CodedLossyPicture.heapLimit == 65_536)
        #expect(demand(1, 1) >= 65_536)
    }
}
