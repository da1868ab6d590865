import AttachmentContainer
import CQuantiser
import Testing

@testable import AttachmentPlanning

@Suite("Memory demand of palettes")
struct QuantiserDemandTests {
    @Test(
        "The demand holds what the quantiser allocates and three rows, and little more",
        arguments: [1, 64, 1320, 4096, 65_536])
    func bound(width: Int) {
        let allocated = Int(thimble_quantiser_bytes(CInt(width))) + 10 * width
        let demand = QuantiserDemand.bytes(width: width)
        #expect(demand >= allocated)
        #expect(demand <= allocated + 8192)
    }

    @Test("An attempt with a palette demands it at its own width, and others nothing")
    func attempts() {
        let size = PixelSize(width: 1320, height: 20_000)
        for attempt in EncodingLadder(size: size, isOpaque: false, quality: 80, floor: 100).attempts
        {
            let isPalette = attempt.encoding == .palettePNG
            #expect(
                attempt.extraMemory.bytes
                    == (isPalette ? QuantiserDemand.bytes(width: attempt.size.width) : 0))
        }
    }
}
