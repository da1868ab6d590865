import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@Suite("JPEG headers") struct JPEGProbeTests {
    @Test("Size, samples and colours of a plain JPEG")
    func plain() throws {
        let bytes = SampleJPEG().bytes
        #expect(
            try probe(bytes)
                == AttachmentHeader(
                    JPEGCoding(.baseline, .yCbCr420, quality: 100),
                    storedSize: PixelSize(width: 40, height: 30), colourModel: .rgb,
                    fileBytes: ByteCount(bytes.count)))
    }

    @Test(
        "The frame marker determines the coding",
        arguments: [
            (0xC0, .baseline), (0xC1, .baseline), (0xC2, .progressive), (0xC9, .arithmetic),
            (0xCA, .arithmetic),
        ] as [(UInt8, JPEGCoding.Process)])
    func coding(marker: UInt8, process: JPEGCoding.Process) throws {
        #expect(try probe(SampleJPEG(marker: marker).bytes).coding.name == process.rawValue)
    }

    @Test(
        "An unsupported coding is reported by name",
        arguments: [
            (0xC3, "lossless"), (0xC5, "hierarchical"), (0xC8, "reserved"), (0xCB, "lossless"),
            (0xCF, "hierarchical"), (0xDE, "hierarchical"),
        ] as [(UInt8, String)])
    func unsupportedCoding(marker: UInt8, name: String) {
        let error = refusal(of: SampleJPEG(marker: marker).bytes)
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains(name) == true)
    }

    @Test("The last restart interval before the scan counts")
    func restartInterval() throws {
        for intervals: [UInt8] in [[], [9], [9, 0], [7, 9]] {
            let segments = intervals.flatMap { [0xFF, 0xDD, 0, 4, 1, $0] as [UInt8] }
            let header = try probe(SampleJPEG(segments: segments).bytes)
            let coding = try #require(header.coding as? JPEGCoding)
            #expect(coding.restartInterval == (intervals.last.map { 256 + Int($0) } ?? 0))
        }
    }

    @Test("A first scan with fewer components than the frame is not interleaved")
    func nonInterleaved() throws {
        #expect(try probe(SampleJPEG(scanned: 1).bytes).coding.name == "non-interleaved")
        #expect(try probe(SampleJPEG(marker: 0xC2, scanned: 1).bytes).coding.name == "progressive")
    }

    @Test("Twelve bits per sample, two components and a late height are unsupported")
    func unsupportedFrames() {
        let two: [(UInt8, UInt8)] = [(1, 0x11), (2, 0x11)]
        for sample in [
            SampleJPEG(marker: 0xC1, precision: 12), SampleJPEG(components: two),
            SampleJPEG(height: 0),
        ] { #expect(refusal(of: sample.bytes)?.code == .unsupported) }
        #expect(refusal(of: SampleJPEG(width: 0).bytes)?.code == .dimensions)
    }

    @Test(
        "Sampling factors have their usual names",
        arguments: [
            ([0x11, 0x11, 0x11], "4:4:4"), ([0x21, 0x11, 0x11], "4:2:2"),
            ([0x22, 0x11, 0x11], "4:2:0"), ([0x12, 0x11, 0x11], "4:4:0"),
            ([0x41, 0x11, 0x11], "4:1:1"), ([0x22, 0x21, 0x21], "4:4:0"),
            ([0x22, 0x22, 0x22], "4:4:4"), ([0x22, 0x21, 0x11], "2x2,2x1,1x1"),
        ] as [([UInt8], String)])
    func subsampling(factors: [UInt8], name: String) throws {
        let components = zip([1, 2, 3] as [UInt8], factors).map { (identifier: $0, sampling: $1) }
        #expect(try probe(SampleJPEG(components: components).bytes).coding.subsamplingName == name)
    }

    @Test("One component is grey, four are CMYK, and neither has chroma")
    func colours() throws {
        let grey = try probe(SampleJPEG(components: [(1, 0x11)]).bytes)
        #expect(grey.colourModel == .grey && grey.coding.subsamplingName == nil)
        let four: [(UInt8, UInt8)] = [(1, 0x11), (2, 0x11), (3, 0x11), (4, 0x11)]
        for transform: UInt8 in [0, 2] {
            let segments = SampleJPEG.adobe(transform: transform)
            let inks = try probe(SampleJPEG(components: four, segments: segments).bytes)
            #expect(inks.colourModel == .cmyk && inks.coding.subsamplingName == nil)
            #expect(!inks.hasMetadata)
        }
    }

    @Test("RGB has no chroma: JFIF takes precedence over Adobe, and Adobe over names")
    func transforms() throws {
        let named: [(UInt8, UInt8)] = [(0x52, 0x11), (0x47, 0x11), (0x42, 0x11)]
        let none = SampleJPEG.adobe(transform: 0)
        let ycc = SampleJPEG.adobe(transform: 1)
        let numbered: [(UInt8, UInt8)] = [(1, 0x11), (2, 0x11), (3, 0x11)]
        for (components, segments, name) in [
            (numbered, [], "4:4:4"), (named, [], nil), (named, ycc, "4:4:4"),
            (numbered, none, nil), (numbered, none + SampleJPEG.jfif, "4:4:4"),
            (named, SampleJPEG.jfif, "4:4:4"),
        ] as [([(UInt8, UInt8)], [UInt8], String?)] {
            let sample = SampleJPEG(components: components, segments: segments)
            #expect(try probe(sample.bytes).coding.subsamplingName == name)
        }
    }

    @Test("Exif orients the picture in both byte orders", arguments: Orientation.allCases)
    func orientation(orientation: Orientation) throws {
        for order in [SampleTIFF.Order.big, .little] {
            let exif = SampleTIFF.orientation(orientation.rawValue, order).bytes
            let segment = SampleJPEG.segment(0xE1, .ascii("Exif\0\0") + exif)
            let header = try probe(SampleJPEG(segments: segment).bytes)
            #expect(header.orientation == orientation)
            #expect(header.hasMetadata)
        }
    }

    @Test("Nested thumbnails take no more stack than one")
    func nestedThumbnails() async throws {
        // Each JPEG is the thumbnail of the one around it.
        var thumbnail = SampleJPEG(segments: []).bytes
        while true {
            let first: [UInt8] = .ascii("Exif\0\0MM\0*") + .big32(8) + .big16(0) + .big32(14)
            let entries = [(0x0201, 44), (0x0202, thumbnail.count)].flatMap { tag, value in
                [UInt8].big16(tag) + .big16(4) + .big32(1) + .big32(value)
            }
            let exif = first + .big16(2) + entries + .big32(0) + thumbnail
            guard exif.count + 2 < 1 << 16 else { break }
            thumbnail = SampleJPEG(segments: SampleJPEG.segment(0xE1, exif)).bytes
        }
        let bytes = thumbnail
        let header = await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: try? probe(bytes)) }
            // Less than a secondary thread's stack on any system.
            thread.stackSize = 128 << 10
            thread.start()
        }
        #expect(header?.storedSize == PixelSize(width: 40, height: 30))
        #expect(header?.preview?.size == PixelSize(width: 40, height: 30))
    }

    @Test("Invalid Exif leaves a picture upright instead of refusing it")
    func badExif() throws {
        var beyond = SampleTIFF.orientation(6)
        beyond.offsetOfDirectory = 0xFFFF_FFF0
        var many = SampleTIFF.orientation(6)
        many.claimedEntries = 65_535
        for exif in [
            [], [UInt8].ascii("II*\0"), .zeros(40), beyond.bytes, many.bytes,
            SampleTIFF.orientation(0).bytes, SampleTIFF.orientation(9).bytes,
            Array(SampleTIFF.orientation(6).bytes.prefix(14)),
        ] {
            let segment = SampleJPEG.segment(0xE1, .ascii("Exif\0\0") + exif)
            #expect(try probe(SampleJPEG(segments: segment).bytes).orientation == .upright)
        }
    }

    @Test("The profile length is the sum of its segments, and counts as metadata")
    func profile() throws {
        let segments = SampleJPEG.icc(65_000) + SampleJPEG.icc(1_200)
        let header = try probe(SampleJPEG(segments: segments).bytes)
        #expect(header.profileBytes == 66_200)
        #expect(header.hasMetadata)
    }

    @Test("Comments, JFIF thumbnails and unknown segments are metadata")
    func metadata() throws {
        let thumbnail = [UInt8].ascii("JFIF\0") + [1, 2, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9]
        for segment in [
            SampleJPEG.segment(0xFE, .ascii("hello")), SampleJPEG.segment(0xE0, thumbnail),
            SampleJPEG.segment(0xED, .ascii("Photoshop 3.0\0")),
        ] { #expect(try probe(SampleJPEG(segments: segment).bytes).hasMetadata) }
    }

    @Test("Fill bytes and stray bytes between segments are skipped")
    func strayBytes() throws {
        let segments: [UInt8] = [0x00, 0x13, 0xFF, 0x00, 0xFF, 0xFF] + SampleJPEG.exif
        #expect(try probe(SampleJPEG(segments: segments).bytes).orientation == .rotated90)
    }

    @Test("Format violations are corrupt, and the reason states the offset")
    func corrupt() {
        let sample = SampleJPEG(segments: [])
        let (start, tables) = ([0xFF, 0xD8] as [UInt8], SampleJPEG.segment(0xDB, .zeros(65)))
        for bytes in [
            start + [0xFF, 0xE0, 0, 1], start + [0xFF, 0xD9], start + sample.scan,
            start + tables + sample.frame + sample.frame + sample.scan,
            SampleJPEG(components: [(1, 0x05)]).bytes, SampleJPEG(scanned: 0).bytes,
            start + SampleJPEG.segment(0xC0, [8, 0, 9, 0, 9, 1, 1, 0x11, 0, 7]) + sample.scan,
        ] {
            let error = refusal(of: bytes)
            #expect(error?.code == .corrupt)
            #expect(error?.reason.contains(", at byte ") == true)
        }
    }
}
