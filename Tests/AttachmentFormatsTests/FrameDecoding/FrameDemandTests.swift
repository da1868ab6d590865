import AttachmentContainer
@testable import AttachmentFormats
import Testing

@Suite("Heap demand of frame decoding", .timeLimit(.minutes(1)))
struct FrameDemandTests {
    /// Peaks of anonymous memory in kilobytes, above a process that decoded a small picture before,
    /// with dav1d 1.0.0 and libde265 1.0.11 on Linux.
    @Test("The bound is between the measured peak and twice that plus 1 MB")
    func measured() {
        let av1 = [
            (640, 480, 8, 588, 39_001), (2048, 1536, 8, 1_824, 218_398),
            (4032, 3024, 8, 4_916, 690_804), (4032, 3024, 10, 5_208, 614_724),
            (8064, 6048, 8, 17_640, 1_694_194),
        ]
        for (width, height, bits, kilobytes, coded) in av1 {
            let bound = FrameDemand.bytes(
                of: FrameHeader(
                    isAV1: true, codedSize: PixelSize(width: width, height: height),
                    bitsPerSample: bits, pieces: 2, codedBytes: coded))
            #expect(bound >= Double(kilobytes) * 1024, "\(width)")
            #expect(bound <= Double(kilobytes) * 2048 + 1_000_000, "\(width)")
        }
        let hevc = [
            (512, 512, 64, 500, 113_646), (4032, 3024, 64, 9_340, 1_577_577),
            (4032, 3024, 32, 11_356, 1_578_650), (4032, 3024, 64, 8_484, 3_214_621),
            (8064, 6048, 64, 31_724, 2_377_703),
        ]
        for (width, height, treeBlock, kilobytes, coded) in hevc {
            let bound = FrameDemand.bytes(
                of: FrameHeader(
                    isAV1: false, codedSize: PixelSize(width: width, height: height), pieces: 1,
                    blockSide: treeBlock, codedBytes: coded))
            #expect(bound >= Double(kilobytes) * 1024, "\(width)")
            #expect(bound <= Double(kilobytes) * 2048 + 1_000_000, "\(width)")
        }
    }

    private static func bytes(
        isAV1: Bool, _ width: Int, _ height: Int, codedBytes: Int
    ) -> Double {
        FrameDemand.bytes(
            of: FrameHeader(
                isAV1: isAV1, codedSize: PixelSize(width: width, height: height), pieces: 4,
                codedBytes: codedBytes))
    }

    @Test("Demand never falls as a picture grows")
    func growing() {
        let sides = [1, 15, 16, 17, 127, 128, 129, 4032, 65_535, 1 << 40, .max]
        for (smaller, larger) in zip(sides, sides.dropFirst()) {
            for side in sides {
                #expect(
                    Self.bytes(isAV1: true, smaller, side, codedBytes: 0)
                        <= Self.bytes(isAV1: true, larger, side, codedBytes: .max))
                #expect(
                    Self.bytes(isAV1: false, side, smaller, codedBytes: 0)
                        <= Self.bytes(isAV1: false, side, larger, codedBytes: .max))
            }
        }
    }
}
