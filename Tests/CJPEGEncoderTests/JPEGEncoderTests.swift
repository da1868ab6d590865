import CJPEGEncoder
import Randomness
import Testing

@Suite("Encoder of JPEG", .timeLimit(.minutes(2)))
struct JPEGEncoderTests {
    private static var layouts: [thimble_jpeg_layout] {
        [
            THIMBLE_JPEG_LAYOUT_GREY, THIMBLE_JPEG_LAYOUT_RGB_444, THIMBLE_JPEG_LAYOUT_RGB_420,
            THIMBLE_JPEG_LAYOUT_YCBCR_420,
        ]
    }
    private static var roundings: [thimble_jpeg_rounding] {
        [
            THIMBLE_JPEG_ROUNDING_NEAREST, THIMBLE_JPEG_ROUNDING_SHIFTED,
            THIMBLE_JPEG_ROUNDING_BY_RATE,
        ]
    }

    /// Waves with noise.
    private static func waves(
        _ width: Int, _ height: Int, _ layout: thimble_jpeg_layout,
        _ rounding: thimble_jpeg_rounding, step: UInt8
    ) -> EncodedPicture {
        var random = SplitMix64(seed: UInt64(width * 100 + height))
        return EncodedPicture(width, height, layout, rounding: rounding, step: step) { x, y, band in
            UInt8(60 + (x * 5 + y * 3 + band * 20) % 120 + random.below(20))
        }
    }

    @Test(
        "libjpeg reads every size without a warning, and vectors do not change a byte",
        arguments: 0..<4, 0..<3)
    func sizes(layout: Int, rounding: Int) throws {
        for (width, height) in [(1, 1), (7, 9), (8, 8), (16, 17), (17, 16), (23, 40), (65, 33)] {
            for step in [UInt8(1), 9, 255] {
                let picture = Self.waves(
                    width, height, Self.layouts[layout], Self.roundings[rounding], step: step)
                let file = try #require(picture.file())
                #expect(file == picture.file(THIMBLE_JPEG_VECTORS_PLAIN))
                let planes = try #require(DecodedPlanes(file)).planes
                #expect((planes[0].width, planes[0].height) == (width, height))
                #expect(planes.count == (layout == 0 ? 1 : 3))
            }
        }
    }

    @Test("Steps of 1 keep every sample within a level", arguments: [(40, 24), (13, 5)])
    func exactness(width: Int, height: Int) throws {
        var random = SplitMix64(seed: 3)
        let samples = (0..<width * height).map { _ in UInt8(random.below(256)) }
        let picture = EncodedPicture(width, height, THIMBLE_JPEG_LAYOUT_GREY) { x, y, _ in
            samples[y * width + x]
        }
        let file = try #require(picture.file())
        let decoded = try #require(DecodedPlanes(file)).planes[0].samples
        #expect(zip(decoded, samples).allSatisfy { abs(Int($0) - Int($1)) <= 2 })
        let error = zip(decoded, samples).map { abs(Int($0) - Int($1)) }.reduce(0, +)
        #expect(Double(error) / Double(samples.count) < 0.2)
    }

    @Test("RGB becomes YCbCr of ITU-T T.871, and chroma of 4:2:0 the mean of four pixels")
    func colours() throws {
        let colour: [Double] = [200, 90, 30]
        for layout in Self.layouts[1...2] {
            let picture = EncodedPicture(24, 24, layout) { x, _, band in
                // Columns of black and colour in turn.
                x % 2 == 0 ? 0 : UInt8(colour[band])
            }
            let file = try #require(picture.file())
            let planes = try #require(DecodedPlanes(file)).planes
            let (red, green, blue) = (colour[0], colour[1], colour[2])
            let luma = 0.299 * red + 0.587 * green + 0.114 * blue
            let isHalved = layout == THIMBLE_JPEG_LAYOUT_RGB_420
            #expect(abs(Double(planes[0].samples[25]) - luma) <= 1.5)
            for (plane, difference) in [(1, (blue - luma) / 1.772), (2, (red - luma) / 1.402)] {
                let expected = 128 + difference * (isHalved ? 0.5 : 1)
                #expect(planes[plane].width == (isHalved ? 12 : 24))
                #expect(abs(Double(planes[plane].samples[5]) - expected) <= 1.5)
            }
        }
    }

    @Test("Thresholds save bytes over the nearest multiple, and rate and distortion save more")
    func lengths() throws {
        let lengths = try Self.roundings.map { rounding in
            try #require(
                Self.waves(320, 240, THIMBLE_JPEG_LAYOUT_RGB_420, rounding, step: 12).file()
            ).count
        }
        #expect(lengths[1] < lengths[0] && lengths[2] < lengths[1])
    }

    @Test("Symbols that first occur after the codes are chosen have codes too")
    func lateSymbols() throws {
        // Noise of small values fills the buffer before the last rows have all levels.
        var random = SplitMix64(seed: 5)
        let picture = EncodedPicture(512, 512, THIMBLE_JPEG_LAYOUT_GREY) { _, y, _ in
            UInt8(y < 496 ? 100 + random.below(60) : random.below(2) * 255)
        }
        let file = try #require(picture.file())
        // A word holds a symbol and at most 8 bits.
        #expect(file.count > Int(thimble_jpeg_symbol_bytes) / 2)
        let decoded = try #require(DecodedPlanes(file)).planes[0].samples
        #expect(decoded.suffix(512).allSatisfy { $0 < 5 || $0 > 250 })
    }

    @Test("A flat picture takes a bit or two a block beside its headers")
    func flat() throws {
        let picture = EncodedPicture(800, 800, THIMBLE_JPEG_LAYOUT_GREY) { _, _, _ in 90 }
        let small = EncodedPicture(8, 8, THIMBLE_JPEG_LAYOUT_GREY) { _, _, _ in 90 }
        let (large, header) = (try #require(picture.file()), try #require(small.file()).count)
        #expect(large.count - header <= 10_000 * 2 / 8 + 8)
    }

    @Test("A file without rows is ended too", arguments: 0..<4)
    func noRows(layout: Int) {
        var settings = EncodedPicture(9, 9, Self.layouts[layout]) { _, _, _ in 1 }.settings
        let encoder = thimble_jpeg_encoder_new(&settings, { _, _, count in count }, nil)
        defer { thimble_jpeg_encoder_free(encoder) }
        #expect(thimble_jpeg_encoder_finish(encoder) == THIMBLE_JPEG_ENCODED)
    }

    @Test("A failure to write is reported")
    func failure() {
        var settings = EncodedPicture(64, 64, THIMBLE_JPEG_LAYOUT_GREY) { _, _, _ in 1 }.settings
        let encoder = thimble_jpeg_encoder_new(&settings, { _, _, _ in -1 }, nil)
        defer { thimble_jpeg_encoder_free(encoder) }
        let row = [UInt8](repeating: 1, count: 64)
        for _ in 0..<64 { _ = thimble_jpeg_encoder_row(encoder, row) }
        #expect(thimble_jpeg_encoder_finish(encoder) == THIMBLE_JPEG_ENCODER_IO)
    }
}
