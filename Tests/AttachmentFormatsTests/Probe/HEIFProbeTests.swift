import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import SampleMedia
import Testing

@Suite("HEIF and AVIF headers") struct HEIFProbeTests {
    @Test("Size, depth and colours of one coded picture")
    func single() throws {
        let bytes = SampleHEIF().bytes
        #expect(
            try probe(bytes)
                == AttachmentHeader(
                    HEIFCoding(isAV1: false, .single, .yCbCr420, frames: []),
                    storedSize: PixelSize(width: 40, height: 30), colourModel: .rgb,
                    fileBytes: ByteCount(bytes.count)))
    }

    @Test("The coded item distinguishes HEIC from AVIF, not the brands")
    func format() throws {
        let items = [SampleHEIF.Item(type: "av01")]
        let properties = [SampleHEIF.av1(), SampleHEIF.size(40, 30)]
        #expect(try probe(SampleHEIF(items: items, properties: properties).bytes).format == .avif)
        #expect(try probe(SampleHEIF(brands: ["avif"]).bytes).format == .heic)
    }

    @Test("A grid has the coding of its first tile and its own size")
    func grid() throws {
        let sample = SampleHEIF(
            brands: ["mif1"], primary: 3,
            items: [
                SampleHEIF.Item(identifier: 1, type: "av01"),
                SampleHEIF.Item(identifier: 2, type: "av01"),
                SampleHEIF.Item(
                    identifier: 3, type: "grid", properties: [3],
                    bytes: SampleHEIF.grid(2, 1, 900, 500)),
            ],
            properties: [
                SampleHEIF.av1(0x4C), SampleHEIF.size(512, 512), SampleHEIF.size(900, 500),
            ],
            references: [("dimg", 3, [1, 2])])
        let header = try probe(sample.bytes)
        #expect(header.format == .avif)
        #expect(header.coding.name == "grid")
        #expect(header.storedSize == PixelSize(width: 900, height: 500))
        #expect(header.bitsPerSample == 10)
    }

    @Test("An identity equals its source")
    func identity() throws {
        let sample = SampleHEIF(
            primary: 2,
            items: [
                SampleHEIF.Item(), SampleHEIF.Item(identifier: 2, type: "iden", properties: [2]),
            ],
            references: [("dimg", 2, [1])])
        #expect(try probe(sample.bytes).coding.name == "single")
    }

    @Test("Surplus tiles are accepted, missing ones are not")
    func spareTiles() throws {
        let items = (1...4).map { SampleHEIF.Item(identifier: $0) }
        func grid(_ width: Int, _ height: Int) -> [UInt8] {
            SampleHEIF(
                primary: 5,
                items: items + [
                    SampleHEIF.Item(
                        identifier: 5, type: "grid", properties: [3],
                        bytes: SampleHEIF.grid(2, 2, width, height))
                ],
                properties: [
                    SampleHEIF.hevc(), SampleHEIF.size(40, 30), SampleHEIF.size(width, height),
                ],
                references: [("dimg", 5, [1, 2, 3, 4])]
            ).bytes
        }
        #expect(try probe(grid(40, 20)).storedSize == PixelSize(width: 40, height: 20))
        #expect(try probe(grid(80, 60)).storedSize == PixelSize(width: 80, height: 60))
        #expect(refusal(of: grid(81, 60))?.code == .corrupt)
    }

    @Test(
        "HEVC states depth and chroma",
        arguments: [
            (0, 8, .grey, nil), (1, 10, .rgb, "4:2:0"), (2, 12, .rgb, "4:2:2"),
            (3, 8, .rgb, "4:4:4"),
        ] as [(UInt8, UInt8, ColourModel, String?)])
    func hevc(
        chroma: UInt8, bits: UInt8, model: ColourModel, name: String?
    ) throws {
        let properties = [SampleHEIF.hevc(chroma: chroma, bits: bits), SampleHEIF.size(40, 30)]
        let header = try probe(SampleHEIF(properties: properties).bytes)
        #expect(header.bitsPerSample == Int(bits))
        #expect(header.colourModel == model)
        #expect(header.coding.subsamplingName == name)
    }

    @Test(
        "AV1 states depth and chroma",
        arguments: [
            (0x1C, 8, .grey, nil), (0x4C, 10, .rgb, "4:2:0"), (0x68, 12, .rgb, "4:2:2"),
            (0x00, 8, .rgb, "4:4:4"),
        ] as [(UInt8, Int, ColourModel, String?)])
    func av1(flags: UInt8, bits: Int, model: ColourModel, name: String?) throws {
        let properties = [SampleHEIF.av1(flags), SampleHEIF.size(40, 30)]
        let items = [SampleHEIF.Item(type: "av01")]
        let header = try probe(SampleHEIF(items: items, properties: properties).bytes)
        #expect(header.bitsPerSample == bits)
        #expect(header.colourModel == model)
        #expect(header.coding.subsamplingName == name)
    }

    @Test(
        "An auxiliary item is alpha only if typed so and linked to the picture",
        arguments: [
            ("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", 1, true),
            ("urn:mpeg:hevc:2015:auxid:1", 1, true), ("urn:mpeg:hevc:2015:auxid:2", 1, false),
            ("urn:mpeg:hevc:2015:auxid:1", 7, false),
        ])
    func alpha(name: String, picture: Int, hasAlpha: Bool) throws {
        let sample = SampleHEIF(
            items: [SampleHEIF.Item(), SampleHEIF.Item(identifier: 2, properties: [1, 2, 3])],
            properties: [
                SampleHEIF.hevc(), SampleHEIF.size(40, 30), SampleHEIF.auxiliary(name),
            ],
            references: [("auxl", 2, [picture])])
        #expect(try probe(sample.bytes).hasAlpha == hasAlpha)
    }

    @Test("Profiles of both types are measured, nclx is not", arguments: ["prof", "rICC", "nclx"])
    func profile(type: String) throws {
        let sample = SampleHEIF(
            items: [SampleHEIF.Item(properties: [1, 2, 3])],
            properties: [
                SampleHEIF.hevc(), SampleHEIF.size(40, 30), SampleHEIF.colour(type, 700),
            ])
        let header = try probe(sample.bytes)
        #expect(header.profileBytes == (type == "nclx" ? 0 : 700))
        #expect(header.hasMetadata == (type != "nclx"))
    }

    @Test("Exif and XMP items are metadata", arguments: ["Exif", "mime"])
    func metadata(type: String) throws {
        let items = [SampleHEIF.Item(), SampleHEIF.Item(identifier: 2, type: type, properties: [])]
        #expect(try probe(SampleHEIF(items: items).bytes).hasMetadata)
    }

    @Test("A sequence with a still picture has an unknown number of frames")
    func sequence() throws {
        for brand in ["avis", "msf1", "hevc"] {
            let header = try probe(SampleHEIF(brands: [brand, "mif1"]).bytes)
            #expect(header.frameCount == nil)
        }
        let movie = SampleHEIF(brands: ["msf1"]).fileType + SampleHEIF.box("moov")
        #expect(refusal(of: movie)?.code == .unsupported)
    }

    @Test("The meta box may follow the data")
    func metaBehindData() throws {
        let data = SampleHEIF.box("mdat", .zeros(70_000))
        let large = [UInt8].big32(1) + .ascii("free") + .big64(3_016) + .zeros(3_000)
        #expect(try probe(SampleHEIF(before: data + large).bytes).format == .heic)
    }

    @Test("An invalid property fails only the pictures that it belongs to")
    func brokenProperty() throws {
        let properties = [
            SampleHEIF.hevc(), SampleHEIF.size(40, 30), SampleHEIF.box("hvcC", [1]),
        ]
        #expect(try probe(SampleHEIF(properties: properties).bytes).format == .heic)
        let items = [SampleHEIF.Item(properties: [3, 2])]
        #expect(
            refusal(of: SampleHEIF(items: items, properties: properties).bytes)?.code == .corrupt)
    }

    @Test("Format violations are corrupt")
    func corrupt() {
        let derived = SampleHEIF.Item(type: "grid")
        let samples = [
            SampleHEIF(primary: 9), SampleHEIF(items: [SampleHEIF.Item(properties: [1])]),
            SampleHEIF(items: [SampleHEIF.Item(properties: [2])]), SampleHEIF(items: [derived]),
            SampleHEIF(items: [derived], references: [("dimg", 1, [1])]),
            SampleHEIF(items: [derived], references: [("dimg", 1, [9])]),
            SampleHEIF(items: [SampleHEIF.Item(), SampleHEIF.Item()]),
            SampleHEIF(before: [0, 0, 0, 7] + .ascii("free")),
        ]
        for sample in samples { #expect(refusal(of: sample.bytes)?.code == .corrupt) }
        #expect(refusal(of: SampleHEIF().fileType)?.code == .truncated)
    }

    @Test("Other codecs and pictures without pixels are refused")
    func refusals() {
        for type in ["jpeg", "avc1", "vvc1", "unci"] {
            let error = refusal(of: SampleHEIF(items: [SampleHEIF.Item(type: type)]).bytes)
            #expect(error?.code == .unsupported)
            #expect(error?.reason.contains(type) == true)
        }
        let properties = [SampleHEIF.hevc(), SampleHEIF.size(0, 30)]
        #expect(refusal(of: SampleHEIF(properties: properties).bytes)?.code == .dimensions)
    }
}
