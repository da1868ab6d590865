import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import SampleMedia
import Testing

@Suite("Gain maps of HEIC and AVIF") struct HEIFGainMapTests {
    private static let apple = "urn:com:apple:photo:2020:aux:hdrgainmap"

    /// A picture, an auxiliary picture of it, and another.
    private static func auxiliary(_ type: String, of picture: Int = 1) -> SampleHEIF {
        SampleHEIF(
            items: [
                SampleHEIF.Item(), SampleHEIF.Item(identifier: 2, properties: [1, 2, 3]),
                SampleHEIF.Item(identifier: 3),
            ],
            properties: [
                SampleHEIF.hevc(), SampleHEIF.size(40, 30), SampleHEIF.auxiliary(type),
            ],
            references: [("auxl", 2, [picture])])
    }

    /// A picture, its gain map, and the item derived from both.
    private static func toneMap(
        of sources: [Int] = [1, 2], primary: Int = 1, type: String = "hvc1"
    ) -> SampleHEIF {
        SampleHEIF(
            brands: ["heic", "mif1", "tmap"], primary: primary,
            items: [
                SampleHEIF.Item(type: type, properties: [type == "hvc1" ? 1 : 4, 2, 5]),
                SampleHEIF.Item(
                    identifier: 2, type: type, properties: [type == "hvc1" ? 1 : 4, 3]),
                SampleHEIF.Item(
                    identifier: 3, type: "tmap", properties: [2, 6], bytes: .zeros(62)),
            ],
            properties: [
                SampleHEIF.hevc(), SampleHEIF.size(40, 30), SampleHEIF.size(20, 15),
                SampleHEIF.av1(), SampleHEIF.colour("prof", 500), SampleHEIF.colour("prof", 700),
            ],
            references: [("dimg", 3, sources)])
    }

    @Test(
        "The type of an auxiliary picture of the primary one names the kind",
        arguments: [
            (apple, 1, .apple), (apple, 3, nil), (apple + "s", 1, nil),
            ("urn:iso:std:iso:ts:21496:-1", 1, .iso),
            ("urn:com:samsung:photo:2024:aux:hdrgainmap", 1, .ultraHDR),
            ("urn:mpeg:hevc:2015:auxid:2", 1, nil),
        ] as [(String, Int, GainMapKind?)])
    func auxiliaries(type: String, picture: Int, kind: GainMapKind?) throws {
        let header = try probe(Self.auxiliary(type, of: picture).bytes)
        #expect(header.gainMap == kind && !header.hasAlpha)
    }

    @Test("A tmap item of the picture is a gain map of the standard", arguments: ["hvc1", "av01"])
    func toneMaps(type: String) throws {
        #expect(try probe(Self.toneMap(type: type).bytes).gainMap == .iso)
        for sources in [[2, 1], [1], [1, 9], [1, 2, 2], []] {
            #expect(try probe(Self.toneMap(of: sources, type: type).bytes).gainMap == nil)
        }
    }

    @Test("The standard comes before Apple's name")
    func both() throws {
        var sample = Self.toneMap()
        sample.properties.append(SampleHEIF.auxiliary(Self.apple))
        sample.items.append(SampleHEIF.Item(identifier: 4, properties: [1, 3, 7]))
        sample.references.append(("auxl", 4, [1]))
        #expect(try probe(sample.bytes).gainMap == .iso)
        sample.references.removeFirst()
        #expect(try probe(sample.bytes).gainMap == .apple)
    }

    @Test("Of a primary tmap item the base is shown, with its own profile")
    func primaryToneMap() throws {
        let header = try probe(Self.toneMap(primary: 3).bytes)
        #expect(header == (try probe(Self.toneMap().bytes)))
        #expect(header.gainMap == .iso && header.profileBytes == 500)
        #expect(refusal(of: Self.toneMap(of: [], primary: 3).bytes)?.code == .corrupt)
        #expect(refusal(of: Self.toneMap(of: [3, 2], primary: 3).bytes)?.code == .corrupt)
    }

    @Test("The gain map of a tmap item may be invalid, since it is not read")
    func brokenGainMap() throws {
        var sample = Self.toneMap()
        sample.properties[2] = SampleHEIF.box("ispe", [0])
        let header = try probe(sample.bytes)
        #expect(header.gainMap == .iso && header.storedSize == PixelSize(width: 40, height: 30))
    }

    @Test("A gain map changes no other fact of the header")
    func otherFacts() throws {
        var header = try probe(Self.auxiliary(Self.apple).bytes)
        header.gainMap = nil
        let other = String(Self.apple.dropLast()) + "s"
        #expect(try probe(Self.auxiliary(other).bytes) == header)
    }
}
