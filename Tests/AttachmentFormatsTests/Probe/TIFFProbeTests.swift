import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import SampleMedia
import Testing

@Suite("TIFF headers") struct TIFFProbeTests {
    @Test("Size, depth and colours, in both byte orders and both widths of offsets")
    func plain() throws {
        for order in [SampleTIFF.Order.little, .big] {
            for isBig in [false, true] {
                let bytes = SampleTIFF.rgb(order, isBig: isBig).bytes
                #expect(
                    try probe(bytes)
                        == AttachmentHeader(
                            TIFFCoding.strips(PixelSize(width: 40, height: 30)),
                            storedSize: PixelSize(width: 40, height: 30), colourModel: .rgb,
                            fileBytes: ByteCount(bytes.count)))
            }
        }
    }

    @Test(
        "The photometric interpretation determines the colour model",
        arguments: [
            (0, 1, .grey), (1, 1, .grey), (2, 3, .rgb), (3, 1, .palette), (5, 4, .cmyk),
            (6, 3, .rgb), (8, 3, .rgb),
        ] as [(Int, Int, ColourModel)])
    func colours(photometric: Int, samples: Int, model: ColourModel) throws {
        let plain = SampleTIFF.rgb().with(262, 3, [photometric]).with(277, 3, [samples])
        #expect(try probe(plain.bytes).colourModel == model)
        #expect(try !probe(plain.bytes).hasAlpha)
        #expect(try probe(plain.with(277, 3, [samples + 1]).bytes).hasAlpha)
        #expect(refusal(of: plain.with(277, 3, [samples + 2]).bytes)?.code == .unsupported)
        #expect(refusal(of: plain.with(277, 3, [samples - 1]).bytes)?.code == .unsupported)
    }

    @Test("Compressions with memory use that depends on the data are refused by name")
    func compressions() throws {
        for (number, name) in [(34661, "JBIG"), (34925, "LZMA"), (50000, "Zstandard")] {
            let error = refusal(of: SampleTIFF.rgb().with(259, 3, [number]).bytes)
            #expect(error?.code == .unsupported)
            #expect(error?.reason.contains(name) == true)
        }
        for number in [1, 5, 6, 7, 8, 32773, 32946] {
            #expect(try probe(SampleTIFF.rgb().with(259, 3, [number]).bytes).format == .tiff)
        }
    }

    @Test("An extra sample is alpha, unless the file declares it unspecified")
    func extraSamples() throws {
        let four = SampleTIFF.rgb().with(277, 3, [4])
        #expect(try probe(four.bytes).hasAlpha)
        for (kind, hasAlpha) in [(0, false), (1, true), (2, true)] {
            #expect(try probe(four.with(338, 3, [kind]).bytes).hasAlpha == hasAlpha)
        }
    }

    @Test("Samples that libvips does not scale are refused: signed, complex and unusual floats")
    func sampleFormats() throws {
        for (bits, format, isRead) in [
            (8, 1, true), (16, 4, true), (32, 1, true), (32, 3, true), (8, 2, false),
            (32, 2, false), (16, 3, false), (64, 3, false), (64, 1, false), (24, 3, false),
            (32, 5, false), (32, 6, false),
        ] {
            let sample = SampleTIFF.rgb().with(258, 3, [bits, bits, bits])
                .with(339, 3, [format, format, format])
            if isRead {
                #expect(try probe(sample.bytes).bitsPerSample == bits)
            } else {
                #expect(refusal(of: sample.bytes)?.code == .unsupported, "\(bits), \(format)")
            }
        }
    }

    @Test("The decoding unit is a strip, a tile, or without a tag the whole picture")
    func units() throws {
        let plain = SampleTIFF.rgb()
        #expect(try probe(plain.bytes).coding.unitSize == PixelSize(width: 40, height: 30))
        #expect(
            try probe(plain.with(278, 3, [8]).bytes).coding.unitSize
                == PixelSize(width: 40, height: 8))
        // 2^32 - 1 means one strip (TIFF 6.0, RowsPerStrip).
        #expect(
            try probe(plain.with(278, 4, [4_294_967_295]).bytes).coding.unitSize
                == PixelSize(width: 40, height: 30))
        #expect(
            try probe(plain.with(322, 3, [16]).with(323, 3, [32]).bytes).coding.unitSize
                == PixelSize(width: 16, height: 32))
    }

    @Test("Tiles, depth, orientation and profile come from their tags")
    func tags() throws {
        let header = try probe(
            SampleTIFF.rgb(.big).with(322, 3, [16]).with(258, 3, [16, 16, 16])
                .with(274, 3, [7]).with(34675, 7, [Int](repeating: 0, count: 500)).bytes)
        #expect(header.coding.name == "tiles")
        #expect(header.bitsPerSample == 16)
        #expect(header.orientation == .transversed)
        #expect(header.profileBytes == 500)
        #expect(header.hasMetadata)
    }

    @Test("Without tags, a bilevel picture has one bit and one sample")
    func defaults() throws {
        let header = try probe(SampleTIFF.rgb().with(262, 3, [0]).without(258).without(277).bytes)
        #expect(header.bitsPerSample == 1)
        #expect(header.colourModel == .grey)
        #expect(header.orientation == .upright)
    }

    @Test("Descriptions are metadata", arguments: [270, 305, 315, 700, 33723, 34665])
    func metadata(tag: Int) throws {
        #expect(try probe(SampleTIFF.rgb().with(tag, 2, [65, 0]).bytes).hasMetadata)
    }

    @Test("A missing size, 64-bit sizes and endless directories are corrupt")
    func corrupt() {
        var endless = SampleTIFF.rgb(.little, isBig: true)
        endless.claimedEntries = Int.max
        for sample in [
            SampleTIFF.rgb().without(256), SampleTIFF.rgb().without(262), endless,
            SampleTIFF.rgb(.big, isBig: true).with(256, 16, [-1]),
        ] { #expect(refusal(of: sample.bytes)?.code == .corrupt) }
    }

    @Test("No pixels, unusual depths and unknown colours are refused")
    func refusals() {
        #expect(refusal(of: SampleTIFF.rgb().with(256, 3, [0]).bytes)?.code == .dimensions)
        #expect(refusal(of: SampleTIFF.rgb().with(258, 3, [0]).bytes)?.code == .unsupported)
        #expect(refusal(of: SampleTIFF.rgb().with(262, 3, [32803]).bytes)?.code == .unsupported)
    }

    @Test("A directory beyond the end of the file means truncation")
    func cut() {
        var sample = SampleTIFF.rgb(.big, isBig: true)
        for offset in [1_000, Int.max, -1] {
            sample.offsetOfDirectory = offset
            #expect(refusal(of: sample.bytes)?.code == .truncated)
        }
    }
}
