import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import SampleMedia
import Testing

@Suite("PNG headers") struct PNGProbeTests {
    private let palette = SamplePNG.chunk("PLTE", .zeros(12))

    @Test("Size, depth and colours of a plain PNG")
    func plain() throws {
        let bytes = SamplePNG().bytes
        #expect(
            try probe(bytes)
                == AttachmentHeader(
                    PNGCoding(), storedSize: PixelSize(width: 40, height: 30), colourModel: .rgb,
                    fileBytes: ByteCount(bytes.count)))
        #expect(try probe(SamplePNG(interlace: 1).bytes).coding.name == "interlaced")
    }

    @Test(
        "Each colour type allows its own depths and no others",
        arguments: 0...7 as ClosedRange<UInt8>)
    func depths(colourType: UInt8) throws {
        let allowed: [UInt8: [UInt8]] = [
            0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
        ]
        let models: [UInt8: ColourModel] = [
            0: .grey, 2: .rgb, 3: .palette, 4: .grey, 6: .rgb,
        ]
        for bits: UInt8 in 0...17 {
            let bytes = SamplePNG(bits: bits, colourType: colourType, before: palette).bytes
            if allowed[colourType]?.contains(bits) == true {
                let header = try probe(bytes)
                #expect(header.bitsPerSample == Int(bits))
                #expect(header.colourModel == models[colourType])
                #expect(header.hasAlpha == (colourType >= 4))
            } else {
                #expect(refusal(of: bytes)?.code == .corrupt)
            }
        }
    }

    @Test("A transparent colour counts as alpha")
    func transparency() throws {
        let transparent = SamplePNG.chunk("tRNS", [0])
        #expect(try probe(SamplePNG(before: transparent).bytes).hasAlpha)
        #expect(
            try probe(SamplePNG(bits: 4, colourType: 3, before: palette + transparent).bytes)
                .hasAlpha)
    }

    @Test("Exif orients the picture, before and after the image data")
    func orientation() throws {
        let exif = SamplePNG.chunk("eXIf", SampleTIFF.orientation(8, .little).bytes)
        for sample in [SamplePNG(before: exif), SamplePNG(behind: exif)] {
            let header = try probe(sample.bytes)
            #expect(header.orientation == .rotated270)
            #expect(header.hasMetadata)
        }
    }

    @Test(
        "Exif behind any number of chunks of image data orients the picture",
        arguments: Array(0...40) + [5000])
    func manyChunks(count: Int) throws {
        let equal = SamplePNG.chunk("IDAT", .zeros(700))
        let data = (0..<count).flatMap { _ in equal } + SamplePNG.chunk("IDAT", .zeros(9))
        let exif = SamplePNG.chunk("eXIf", SampleTIFF.orientation(8, .little).bytes)
        #expect(try probe(SamplePNG(behind: data + exif).bytes).orientation == .rotated270)
        #expect(try !probe(SamplePNG(behind: data).bytes).hasMetadata)
        // The last chunk is cut.
        let cut = SamplePNG(behind: data).bytes.dropLast(12 + 12 + 9 + 1)
        #expect(try probe(Array(cut)).hasMetadata)
    }

    @Test("The profile's length is its own, or the chunk's if it cannot be read")
    func profile() throws {
        let name = [UInt8].ascii("icc\0") + [0]
        // A zlib stream of one stored block (RFC 1950 and 1951).
        let stored: [UInt8] = [0x78, 1, 1, 200, 0, 55, 255] + .big32(200) + .zeros(196)
        for (data, length) in [(stored, 200), (.zeros(300), 305)] {
            let header = try probe(SamplePNG(before: SamplePNG.chunk("iCCP", name + data)).bytes)
            #expect(header.profileBytes == length)
            #expect(header.hasMetadata)
        }
    }

    @Test("Colour chunks before the image data are tags unless they mean sRGB")
    func colourTags() throws {
        func tags(_ chunks: [(String, [UInt8])]) throws -> ColourTags? {
            let bytes = chunks.flatMap { SamplePNG.chunk($0.0, $0.1) }
            return try probe(SamplePNG(before: bytes).bytes).colourTags
        }
        func chromaticities(_ values: [Int]) -> [UInt8] { values.flatMap { [UInt8].big32($0) } }
        let (linear, usual) = ([UInt8].big32(100_000), [UInt8].big32(45_455))
        let srgb = chromaticities([
            31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000,
        ])
        let p3 = chromaticities([31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000])
        #expect(try tags([("gAMA", linear)])?.transfer == .gamma(1))
        #expect(try tags([("gAMA", usual)]) == nil)
        #expect(try tags([("gAMA", .big32(43_300))]) == nil)
        #expect(try tags([("gAMA", .big32(42_900))]) != nil)
        #expect(try tags([("gAMA", usual), ("cHRM", srgb)]) == nil)
        #expect(try tags([("gAMA", linear), ("sRGB", [0])]) == nil)
        #expect(try tags([("cICP", [12, 13, 0, 1]), ("sRGB", [0])])?.transfer == .sRGB)
        #expect(try tags([("cICP", [1, 13, 0, 1]), ("gAMA", linear)]) == nil)
        let wide = try #require(try tags([("gAMA", usual), ("cHRM", p3)]))
        #expect(wide.chromaticities == Chromaticities(primaries: 12))
        #expect(wide.transfer == .gamma(100_000 / 45_455))
        // A second chunk, and one after the palette, are ignored.
        #expect(try tags([("gAMA", usual), ("gAMA", linear)]) == nil)
        #expect(try tags([("PLTE", .zeros(3)), ("gAMA", linear)]) == nil)
        for (type, data) in [
            ("gAMA", [UInt8].zeros(4)), ("cHRM", .zeros(32)), ("cICP", [1, 13, 0, 0]),
            ("cICP", [3, 19, 0, 1]),
        ] {
            let odd = try #require(try tags([(type, data)]))
            #expect(odd.note != nil && !odd.changesColours(isGrey: false), "\(type)")
        }
    }

    @Test("acTL states the number of frames")
    func frames() throws {
        let control = SamplePNG.chunk("acTL", .big32(101) + .big32(0))
        let header = try probe(SamplePNG(before: control).bytes)
        #expect(header.frameCount == 101)
        #expect(header.isAnimated && header.timing?.loopCount == 0)
        // After the image data it has no effect.
        let late = try probe(SamplePNG(behind: control).bytes)
        #expect(!late.isAnimated && late.timing == nil)
    }

    @Test("An animation's duration is that of its frames as viewers play them")
    func timing() throws {
        func frame(_ numerator: Int, _ denominator: Int) -> [UInt8] {
            SamplePNG.chunk(
                "fcTL", .zeros(20) + .big16(numerator) + .big16(denominator) + .zeros(2))
        }
        let control = SamplePNG.chunk("acTL", .big32(3) + .big32(7))
        // A quarter of a second; a hundredth, which viewers extend to a tenth; and hundredths.
        let sample = SamplePNG(
            before: control + frame(1, 4), behind: frame(1, 100) + frame(50, 0))
        let timing = try #require(try probe(sample.bytes).timing)
        #expect(abs((timing.seconds ?? 0) - 0.85) < 1e-9 && timing.loopCount == 7)
        let cut = try probe(Array(sample.bytes.dropLast(30)))
        #expect(cut.frameCount == 3 && cut.timing?.seconds == nil)
    }

    @Test("Colour tags and descriptions are metadata, rendering hints are not")
    func metadata() throws {
        for type in [
            "gAMA", "cHRM", "iCCP", "tEXt", "zTXt", "iTXt", "eXIf", "tIME", "cICP", "prVt",
        ] {
            let chunk = SamplePNG.chunk(type, .zeros(9))
            #expect(try probe(SamplePNG(before: chunk).bytes).hasMetadata, "\(type)")
            #expect(try probe(SamplePNG(behind: chunk).bytes).hasMetadata, "\(type)")
        }
        for type in ["sRGB", "tRNS", "pHYs", "bKGD", "sBIT", "acTL", "fcTL", "fdAT"] {
            let chunk = SamplePNG.chunk(type, .zeros(9))
            #expect(try !probe(SamplePNG(before: chunk).bytes).hasMetadata, "\(type)")
        }
    }

    @Test("With unreadable chunks after the image data, metadata is assumed")
    func cutBehind() throws {
        let bytes = SamplePNG().bytes
        #expect(try probe(Array(bytes.dropLast(8))).hasMetadata)
    }

    @Test("Format violations are corrupt")
    func corrupt() {
        let sample = SamplePNG()
        let start = SamplePNG.signature
        for bytes in [
            start + SamplePNG.chunk("IDAT"), start + sample.header + SamplePNG.chunk("IEND"),
            start + SamplePNG.chunk("IHDR", .zeros(12)), SamplePNG(interlace: 2).bytes,
            SamplePNG(width: 1 << 31).bytes, SamplePNG(bits: 8, colourType: 3).bytes,
            SamplePNG(before: SamplePNG.chunk("PLTE", .zeros(4))).bytes,
            SamplePNG(before: SamplePNG.chunk("ABCD")).bytes,
            start + sample.header + .big32(1 << 31) + .ascii("tEXt"),
        ] { #expect(refusal(of: bytes)?.code == .corrupt) }
    }

    @Test("A PNG without pixels has no dimensions, and Xcode's variant is unsupported")
    func otherRefusals() {
        #expect(refusal(of: SamplePNG(width: 0).bytes)?.code == .dimensions)
        #expect(refusal(of: SamplePNG(height: 0).bytes)?.code == .dimensions)
        let crushed = SamplePNG.signature + SamplePNG.chunk("CgBI", .zeros(4))
        #expect(refusal(of: crushed)?.code == .unsupported)
    }
}
