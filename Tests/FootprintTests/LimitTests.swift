import AttachmentContainer
import AttachmentModel
import Testing

@Suite("The system's limit")
struct LimitTests {
    private let cap = MemoryCap(.mebibytes(24))

    @Test("A cap above the limit is lowered to it: the footprint and what is left")
    func lowered() {
        let lower = cap.lowered(toLimitOf: .mebibytes(5), remaining: .mebibytes(7))
        #expect(lower == MemoryCap(.mebibytes(12)))
    }

    @Test("A cap below the limit stays, and so does one without a known limit")
    func kept() {
        #expect(cap.lowered(toLimitOf: .mebibytes(5), remaining: .mebibytes(45)) == cap)
        #expect(cap.lowered(toLimitOf: .mebibytes(5), remaining: .mebibytes(19)) == cap)
        #expect(cap.lowered(toLimitOf: nil, remaining: .mebibytes(1)) == cap)
        #expect(cap.lowered(toLimitOf: .mebibytes(1), remaining: nil) == cap)
        #expect(cap.lowered(toLimitOf: ByteCount(1), remaining: ByteCount(.max)) == cap)
    }

    #if os(Linux)
        @Test("Linux reports no limit, so that the cap stays")
        func linux() {
            #expect(Footprint.remaining() == nil)
            #expect(cap.loweredToLimit() == cap)
        }
    #endif
}
