import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Testing

@Suite("Heap demand of HEIF pictures")
struct HEIFDemandTests {
    private static func bytes(
        _ width: Int, _ height: Int, tile: Int? = nil, isAV1: Bool = false, bits: Int = 8,
        hasAlpha: Bool = false, isTransposed: Bool = false, fileBytes: Int = 3_000_000,
        placesBlocks: Bool = false
    ) -> Double {
        let coding = HEIFCoding(
            isAV1: isAV1,
            tile.map { .grid(tile: PixelSize(width: $0, height: $0)) } ?? .single, frames: [])
        let header = AttachmentHeader(
            coding, storedSize: PixelSize(width: width, height: height),
            orientation: isTransposed ? .rotated90 : .upright, colourModel: .rgb,
            hasAlpha: hasAlpha, bitsPerSample: bits, profileBytes: 548,
            fileBytes: ByteCount(fileBytes))
        return HEIFDemand.bytes(of: header, coding, placesBlocks: placesBlocks)
    }

    @Test("With large blocks off the heap, a frame of any size takes little more than a tile")
    func placed() {
        for isAV1 in [false, true] {
            let frame = Self.bytes(8064, 6048, isAV1: isAV1, placesBlocks: true)
            // AV1 is decoded on a stack of its own.
            #expect(frame <= (isAV1 ? 2_256_000 : 1_600_000))
            #expect(frame >= Self.bytes(512, 512, isAV1: isAV1, placesBlocks: true))
            let tiles = Self.bytes(8064, 6048, tile: 512, isAV1: isAV1, placesBlocks: true)
            #expect(tiles <= Self.bytes(8064, 6048, tile: 512, isAV1: isAV1))
        }
    }

    @Test("Bounds lie between the measured peak and twice that plus a megabyte")
    func measured() {
        // Measured peak of the heap while all rows were read, in KiB.
        let pictures: [(bytes: Double, measured: Double)] = [
            (Self.bytes(4032, 3024, tile: 512, fileBytes: 3_229_420), 792),
            (Self.bytes(8064, 6048, tile: 512, fileBytes: 11_145_418), 924),
            (Self.bytes(4032, 3024, tile: 512, isTransposed: true, fileBytes: 3_229_430), 1216),
            (Self.bytes(8064, 6048, tile: 512, isTransposed: true, fileBytes: 11_145_428), 1276),
            (Self.bytes(4032, 3024, fileBytes: 3_214_621), 8_716),
            (Self.bytes(4032, 3024, isAV1: true, fileBytes: 690_804), 5_104),
            (Self.bytes(8064, 6048, isAV1: true, fileBytes: 1_694_194), 18_080),
            (Self.bytes(8064, 6048, isAV1: true, isTransposed: true, fileBytes: 1_694_204), 18_088),
            (
                Self.bytes(16_320, 12_240, tile: 512, isTransposed: true, fileBytes: 2_407_522),
                2_688
            ),
        ]
        for picture in pictures {
            #expect(picture.bytes >= picture.measured * 1024)
            #expect(picture.bytes <= picture.measured * 2048 + 1_048_576)
        }
    }

    @Test("Bounds never fall as a picture grows", arguments: [nil, 64, 512], [false, true])
    func growth(tile: Int?, isTransposed: Bool) {
        for isAV1 in [false, true] {
            var last = 0.0
            for side in stride(from: 1, to: 20_000, by: 97) {
                let bytes = Self.bytes(
                    side, side, tile: tile, isAV1: isAV1, hasAlpha: true,
                    isTransposed: isTransposed, fileBytes: side * side)
                #expect(bytes >= last)
                last = bytes
            }
        }
    }

    @Test("Impossible sizes give a finite demand")
    func extremes() {
        for number in [Int.min, -1, 0, .max] {
            #expect(Self.bytes(number, number, tile: number, fileBytes: number).isFinite)
            #expect(
                Self.bytes(number, 1, isAV1: true, isTransposed: true, fileBytes: .max).isFinite)
        }
    }
}
