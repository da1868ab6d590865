import AttachmentPlanning
import Testing

@Suite("What decoding frames takes of the heap", .timeLimit(.minutes(1)))
struct FrameDemandTests {
    /// Peaks of anonymous memory above a process that decodes nothing, in kilobytes, with dav1d
    /// 1.0.0 and libde265 1.0.11 on Linux.
    @Test("The bound is never below what was measured, nor above twice of it and 1 MB")
    func measured() {
        let av1 = [
            (640, 480, 8, 1296, 60_000), (2048, 1536, 8, 1984, 200_000),
            (4032, 3024, 8, 5024, 690_000), (4032, 3024, 10, 5312, 800_000),
            (8064, 6048, 8, 17948, 1_690_000),
        ]
        for (width, height, bits, kilobytes, coded) in av1 {
            let bound = FrameDemand.av1(
                width: width, height: height, bitDepth: bits, codedBytes: coded)
            #expect(bound >= Double(kilobytes) * 1024, "\(width)")
            #expect(bound <= Double(kilobytes) * 2048 + 1_000_000, "\(width)")
        }
        let hevc = [
            (512, 512, 64, 764, 113_000), (4032, 3024, 64, 9520, 1_577_000),
            (4032, 3024, 32, 11556, 1_577_000), (4032, 3024, 64, 8656, 3_214_000),
            (8064, 6048, 64, 31912, 2_377_000),
        ]
        for (width, height, treeBlock, kilobytes, coded) in hevc {
            let bound = FrameDemand.hevc(
                width: width, height: height, treeBlock: treeBlock, codedBytes: coded)
            #expect(bound >= Double(kilobytes) * 1024, "\(width)")
            #expect(bound <= Double(kilobytes) * 2048 + 1_000_000, "\(width)")
        }
    }

    @Test("A larger picture never takes less, whatever the numbers")
    func growing() {
        let sides = [1, 15, 16, 17, 127, 128, 129, 4032, 65_535, 1 << 40, .max]
        for (smaller, larger) in zip(sides, sides.dropFirst()) {
            for side in sides {
                #expect(
                    FrameDemand.av1(width: smaller, height: side, codedBytes: 0)
                        <= FrameDemand.av1(width: larger, height: side, codedBytes: .max))
                #expect(
                    FrameDemand.hevc(width: side, height: smaller, codedBytes: 0)
                        <= FrameDemand.hevc(width: side, height: larger, codedBytes: .max))
            }
        }
    }
}
