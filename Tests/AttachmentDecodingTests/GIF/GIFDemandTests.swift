import Testing

@testable import AttachmentDecoding
@testable import AttachmentPlanning

@Suite("What decoding a GIF takes, as planned")
struct GIFDemandTests {
    @Test("It covers four readers and the header, never falls, and is no more than twice that")
    func bounds() {
        var before = 0.0
        for width in [0, 1, 100, 4032, 8064, 65_535, 65_536] {
            let demand = GIFDemand.bytes(width: width)
            let readers = GIFInterlace.passCount * GIFIndexReader.heapBytes(width: width)
            let held = Double(readers + FileWindow.defaultCapacity)
            #expect(demand >= held)
            #expect(demand <= 2 * held)
            #expect(demand >= before)
            before = demand
        }
        #expect(GIFDemand.bytes(width: .max) == before)
        #expect(GIFDemand.bytes(width: .min) == GIFDemand.bytes(width: 0))
    }
}
