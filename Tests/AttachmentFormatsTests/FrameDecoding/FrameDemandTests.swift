import AttachmentFormats
import Testing

@Suite("Heap demand of frame decoding", .timeLimit(.minutes(1)))
struct FrameDemandTests {
    /// Peaks of anonymous memory in kilobytes, above a process that decoded a small picture before,
    /// with dav1d 1.0.0 and libde265 1.0.11 on Linux.
    ///
    /// The planner counts dav1d's fixed 0.3 MB as warm-up.
    @Test("The bound is between the measured peak and twice that plus 1 MB")
    func measured() {
        let av1 = [
            (640, 480, 8, 588, 39_001), (2048, 1536, 8, 1_824, 218_398),
            (4032, 3024, 8, 4_916, 690_804), (4032, 3024, 10, 5_208, 614_724),
            (8064, 6048, 8, 17_640, 1_694_194),
        ]
        for (width, height, bits, kilobytes, coded) in av1 {
            let bound = FrameDemand.av1(
                width: width, height: height, bitDepth: bits, codedBytes: coded)
            #expect(bound + 300_000 >= Double(kilobytes) * 1024, "\(width)")
            #expect(bound <= Double(kilobytes) * 2048 + 1_000_000, "\(width)")
        }
        let hevc = [
            (512, 512, 64, 500, 113_646), (4032, 3024, 64, 9_340, 1_577_577),
            (4032, 3024, 32, 11_356, 1_578_650), (4032, 3024, 64, 8_484, 3_214_621),
            (8064, 6048, 64, 31_724, 2_377_703),
        ]
        for (width, height, treeBlock, kilobytes, coded) in hevc {
            let bound = FrameDemand.hevc(
                width: width, height: height, treeBlock: treeBlock, slices: 1, codedBytes: coded)
            #expect(bound >= Double(kilobytes) * 1024, "\(width)")
            #expect(bound <= Double(kilobytes) * 2048 + 1_000_000, "\(width)")
        }
    }

    @Test("Demand never falls as a picture grows")
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
