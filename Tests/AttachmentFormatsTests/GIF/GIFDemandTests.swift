@testable import AttachmentFormats
import Testing

@Suite("GIF demand")
struct GIFDemandTests {
    @Test("Demand covers four readers and the header, at most twice, and never falls")
    func bounds() {
        var before = 0.0
        for width in [0, 1, 100, 4032, 8064, 65_535, 65_536] {
            let demand = GIFDemand.bytes(width: width)
            let readers = GIFInterlace.passCount * GIFIndexReader.heapBytes(width: width)
            let used = Double(readers + FileWindow.defaultCapacity)
            #expect(demand >= used)
            #expect(demand <= 2 * used)
            #expect(demand >= before)
            before = demand
        }
        #expect(GIFDemand.bytes(width: .max) == before)
        #expect(GIFDemand.bytes(width: .min) == GIFDemand.bytes(width: 0))
    }
}
