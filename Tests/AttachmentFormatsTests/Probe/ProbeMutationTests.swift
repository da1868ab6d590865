import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import SampleMedia
import Testing

@Suite("The probe survives damaged files") struct ProbeMutationTests {
    /// Headers of all formats and variants of the samples.
    private static let samples: [[UInt8]] = [
        SampleJPEG(segments: SampleJPEG.exif + SampleJPEG.icc(300) + SampleJPEG.jfif).bytes,
        SampleJPEG(marker: 0xC2, segments: SampleJPEG.adobe(transform: 2)).bytes,
        GainMapJPEG(.both, of: SampleJPEG().bytes, gainMap: SampleJPEG().bytes).bytes,
        SamplePNG(
            colourType: 3,
            before: SamplePNG.chunk("acTL", .zeros(8)) + SamplePNG.chunk("PLTE", .zeros(12))
                + SamplePNG.chunk("tRNS", [0]) + SamplePNG.chunk("iCCP", .ascii("a\0\0bcd")),
            behind: SamplePNG.chunk("eXIf", SampleTIFF.orientation(3).bytes)
        ).bytes,
        SampleWebP.file(
            SampleWebP.extended(0x3E) + SampleWebP.chunk("ANIM", .zeros(6))
                + SampleWebP.frame(SampleWebP.chunk("ALPH", [0]) + SampleWebP.lossy())
                + SampleWebP.frame(SampleWebP.lossless())
                + SampleWebP.chunk("EXIF", SampleTIFF.orientation(3, .little).bytes)),
        SampleWebP.file(SampleWebP.lossless()),
        SampleGIF(
            blocks: SampleGIF.application("NETSCAPE2.0") + SampleGIF.comment
                + SampleGIF.graphicControl(transparent: true) + SampleGIF.picture(localBits: 3)
                + SampleGIF.picture()
        ).bytes,
        SampleTIFF.rgb(.big).with(34675, 7, [1, 2, 3, 4, 5]).bytes,
        SampleTIFF.rgb(.little, isBig: true).bytes,
        SampleBMP().bytes,
        SampleBMP(bits: 32, compression: 3, headerBytes: 124, masks: [0xFF, 0xFF00, 0xFF0000, 0])
            .bytes,
        SampleHEIF(
            brands: ["mif1", "heic", "msf1"], primary: 3,
            items: [
                SampleHEIF.Item(), SampleHEIF.Item(identifier: 2, properties: [1, 2, 4]),
                SampleHEIF.Item(
                    identifier: 3, type: "grid", properties: [2, 5, 6, 7, 8],
                    bytes: SampleHEIF.grid(2, 1, 40, 30)),
            ],
            properties: [
                SampleHEIF.hevc(), SampleHEIF.size(40, 30), SampleHEIF.av1(),
                SampleHEIF.auxiliary("urn:mpeg:hevc:2015:auxid:1"), SampleHEIF.rotation(3),
                SampleHEIF.mirror(1), SampleHEIF.cleanAperture(20, 20),
                SampleHEIF.colour("prof", 40),
            ],
            references: [("dimg", 3, [1, 2]), ("auxl", 2, [3])]
        ).bytes,
        SampleHEIF(
            brands: ["heic", "tmap"], primary: 3,
            items: [
                SampleHEIF.Item(), SampleHEIF.Item(identifier: 2, properties: [1, 2, 3]),
                SampleHEIF.Item(identifier: 3, type: "tmap", properties: [2], bytes: .zeros(62)),
            ],
            properties: [
                SampleHEIF.hevc(), SampleHEIF.size(40, 30),
                SampleHEIF.auxiliary("urn:com:apple:photo:2020:aux:hdrgainmap"),
            ],
            references: [("dimg", 3, [1, 2]), ("auxl", 2, [1])]
        ).bytes,
    ]

    /// The first bytes of the real pictures, if available.
    private static func prefixes(of count: Int) -> [[UInt8]] {
        Corpus.pictures.compactMap { picture in
            guard let file = FileHandle(forReadingAtPath: picture.path),
                let data = try? file.read(upToCount: count)
            else { return nil }
            return [UInt8](data)
        }
    }

    @Test(
        "Damaged headers give a header or a typed error, none after half a minute",
        .timeLimit(.minutes(2)))
    func mutants() throws {
        let file = ScratchFile()
        defer { file.remove() }
        var random = SplitMix64(seed: 0x7468_696D_626C_6500)
        let originals = Self.samples + Self.prefixes(of: 8_192)
        let count = Thoroughness.isFull ? 24_000 : 6_000
        var (headers, refusals) = (0, 0)
        for _ in 0..<count {
            var bytes = try #require(originals.randomElement(using: &random))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                Self.damage(&bytes, using: &random)
            }
            file.overwrite(bytes)
            let before = ContinuousClock.now
            do {
                Self.check(try file.header(), of: bytes)
                headers += 1
            } catch {
                Self.check(error)
                refusals += 1
            }
            #expect(ContinuousClock.now - before < .seconds(30))
        }
        // Both must be frequent; otherwise the damage is too small or too large to be useful.
        #expect(min(headers, refusals) > count / 12, "\(headers) headers, \(refusals) refusals")
    }

    @Test(
        "The maximum number of items and properties is accepted, and no more",
        .timeLimit(.minutes(1)))
    func manyItems() throws {
        let wide = [Int](repeating: 1, count: 253) + [2]
        let items = (1...4_000).map {
            SampleHEIF.Item(identifier: $0, properties: $0 <= 200 ? wide : [1, 2])
        }
        let references = (2...4_000).map { (type: "auxl", from: $0 % 200 + 1, to: [1]) }
        let header = try probe(SampleHEIF(items: items, references: references).bytes)
        #expect(!header.hasAlpha)
        for tooMany in [
            items + (4_001...5_000).map { SampleHEIF.Item(identifier: $0) },
            (1...300).map { SampleHEIF.Item(identifier: $0, properties: wide) },
        ] { #expect(refusal(of: SampleHEIF(items: tooMany).bytes)?.code == .corrupt) }
    }

    private static func check(_ header: AttachmentHeader, of bytes: [UInt8]) {
        let size = header.storedSize
        #expect(size.width > 0 && size.height > 0)
        #expect(size.width <= UInt32.max && size.height <= UInt32.max)
        #expect(header.frameCount.map { $0 > 0 } ?? true)
        #expect((1...64).contains(header.bitsPerSample))
        #expect(header.profileBytes >= 0)
        #expect(header.fileBytes.bytes == bytes.count)
    }

    private static func check(_ error: AttachmentError) {
        let allowed: [AttachmentError.Code] = [
            .empty, .unsupported, .truncated, .corrupt, .dimensions,
        ]
        #expect(allowed.contains(error.code), "\(error)")
        #expect(!error.reason.isEmpty)
    }

    private static func damage(_ bytes: inout [UInt8], using random: inout SplitMix64) {
        guard let place = bytes.indices.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 2: bytes.removeSubrange(place...)
        case 3: bytes.remove(at: place)
        case 4: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        default:
            // A length, count or offset of zero or far too large.
            let value = [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF, bytes.count].randomElement(using: &random)
            let number: [UInt8] =
                Bool.random(using: &random) ? .big32(value ?? 0) : .little32(value ?? 0)
            let end = min(place + Int.random(in: 1...4, using: &random), bytes.count)
            bytes.replaceSubrange(place..<end, with: number.prefix(end - place))
        }
    }
}
