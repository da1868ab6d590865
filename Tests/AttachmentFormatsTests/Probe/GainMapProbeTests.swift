import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import SampleMedia
import Testing

@Suite("Gain maps of JPEGs") struct GainMapProbeTests {
    private static func file(_ description: GainMapJPEG.Description) -> GainMapJPEG {
        GainMapJPEG(
            description, of: SampleJPEG(segments: SampleJPEG.exif).bytes,
            gainMap: SampleJPEG(width: 10, height: 8, components: [(1, 0x11)]).bytes)
    }

    @Test(
        "The gain map's own segments name its kind, the standard's first",
        arguments: [
            (.ultraHDR, .ultraHDR), (.iso, .iso), (.both, .iso), (.apple, .apple), (.none, nil),
        ] as [(GainMapJPEG.Description, GainMapKind?)])
    func kinds(description: GainMapJPEG.Description, kind: GainMapKind?) throws {
        #expect(try probe(Self.file(description).bytes).gainMap == kind)
    }

    @Test("Without an index, the list in XMP locates the gain map", arguments: [true, false])
    func list(isListed: Bool) throws {
        var file = Self.file(.ultraHDR)
        file.hasIndex = false
        if !isListed { file.letters = "xMu" }
        #expect(try probe(file.bytes).gainMap == (isListed ? .ultraHDR : nil))
    }

    @Test("Claims of a gain map that is not there are none")
    func absentGainMap() throws {
        for description in [GainMapJPEG.Description.ultraHDR, .iso, .both, .apple] {
            let whole = Self.file(description).bytes
            let end = try #require(whole.firstRange(of: [0xFF, 0xD9, 0xFF, 0xD8])).lowerBound + 2
            #expect(try probe(Array(whole[..<end])).gainMap == nil)
            #expect(try probe(Array(whole[..<end]) + .zeros(whole.count - end)).gainMap == nil)
        }
    }

    @Test("Padding between picture and gain map is allowed")
    func padding() throws {
        for description in [GainMapJPEG.Description.ultraHDR, .iso, .apple] {
            var file = Self.file(description)
            file.between = .zeros(100)
            #expect(try probe(file.bytes).gainMap != nil)
        }
    }

    @Test("A gain map changes no other fact of the header")
    func otherFacts() throws {
        for description in [GainMapJPEG.Description.ultraHDR, .iso, .both] {
            var file = Self.file(description)
            var header = try probe(file.bytes)
            #expect(header.gainMap != nil && header.hasMetadata)
            header.gainMap = nil
            file.letters = "xxx"
            #expect(try probe(file.bytes) == header)
        }
    }

    @Test(
        "Damaged claims and gain maps change no other fact, and none is searched for ten seconds",
        .timeLimit(.minutes(2)))
    func mutants() throws {
        let file = ScratchFile()
        defer { file.remove() }
        var random = SplitMix64(seed: 21_496)
        var found: [GainMapKind?: Int] = [:]
        for round in 0..<4_000 {
            let descriptions: [GainMapJPEG.Description] = [.ultraHDR, .iso, .both, .apple]
            var sample = Self.file(descriptions[round % 4])
            sample.hasIndex = round % 8 < 6
            let whole = sample.bytes
            let places = try Self.claims(of: whole)
            var bytes = whole
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = try #require(places.randomElement(using: &random))
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            file.overwrite(bytes)
            let before = ContinuousClock.now
            var header = try file.header()
            #expect(ContinuousClock.now - before < .seconds(10))
            found[header.gainMap, default: 0] += 1
            header.gainMap = nil
            var expected = try probe(whole)
            expected.gainMap = nil
            #expect(header == expected)
        }
        #expect(found.values.allSatisfy { $0 > 50 } && found.count == 4, "\(found)")
    }

    /// Places in the bodies of claims, with their identifiers, and in the gain map.
    private static func claims(of bytes: [UInt8]) throws -> [Int] {
        let gainMap = try #require(bytes.firstRange(of: [0xFF, 0xD9, 0xFF, 0xD8])).lowerBound + 2
        var places = Array(gainMap..<bytes.count)
        var start = 2
        while bytes[start + 1] >= 0xE0 {
            let end = start + 2 + Int(bytes[start + 2]) << 8 + Int(bytes[start + 3])
            let isExif = bytes[start + 4] == UInt8(ascii: "E")
            if !isExif { places += Array(start + 4..<end) }
            start = end
        }
        return places
    }

    @Test(
        "Searches end: of endless segments, of a full index and of a long list",
        .timeLimit(.minutes(1)))
    func endlessSearches() throws {
        let plain = SampleJPEG(segments: []).bytes
        let segment = GainMapJPEG.segment(0xE1, .ascii("x"))
        let late = GainMapJPEG.segment(0xE2, .ascii("urn:iso:std:iso:ts:21496:-1\0"))
        let endless = [0xFF, 0xD8] + (0..<300_000).flatMap { _ in segment } + late
        let fill = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0xFF, count: 2 << 20)
        for gainMap in [endless, fill] {
            let file = GainMapJPEG(.none, of: plain, gainMap: gainMap)
            #expect(try probe(file.bytes).gainMap == nil)
        }
        let items = String(repeating: "<a Item:Semantic=", count: 3_500)
        let list = GainMapJPEG.xmp("", items + String(repeating: " Item:Length", count: 300))
        #expect(try probe(Array(plain[..<2]) + list + plain[2...]).gainMap == nil)
    }

    @Test(
        "Real pictures of phones", .enabled(if: Corpus.isAvailable),
        arguments: [
            ("libvips__ultra-hdr.jpg", .ultraHDR), ("pillowheif__pug.heic", .apple),
            ("pillowheif__200MP.heic", .ultraHDR), ("nuke__img_751.heic", nil),
        ] as [(String, GainMapKind?)])
    func realPictures(name: String, kind: GainMapKind?) throws {
        #expect(try Probe().picture(at: Corpus.path(name)).gainMap == kind)
    }
}
