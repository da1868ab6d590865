@testable import AttachmentService
import Testing

@Suite("Range fields")
struct ByteRangeTests {
    @Test(
        "Fields and the parts that they ask for",
        arguments: [
            ("bytes=0-0", .part(0..<1)), ("bytes=9-", .part(9..<10)), ("Bytes=2-5", .part(2..<6)),
            ("bytes=-3", .part(7..<10)), ("bytes=-30", .part(0..<10)),
            ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=5-4", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("bytes=+1-2", .whole),
            ("bytes=1-2,4-5", .whole), ("bytes= 1-2", .whole),
            ("bytes=99999999999999999999-", .whole), (nil, .whole),
        ] as [(String?, ByteRange)])
    func fields(_ field: String?, _ range: ByteRange) {
        #expect(ByteRange(field, length: 10) == range)
    }

    @Test("An empty file has no part")
    func empty() {
        #expect(ByteRange("bytes=0-", length: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-1", length: 0) == .unsatisfiable)
    }
}
