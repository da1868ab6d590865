@testable import AttachmentFormats
import Testing

@Suite("Lossless WebP with scratch space", .timeLimit(.minutes(2)))
struct LosslessWebPScratchTests {
    @Test("Images and planes with rings in scratch files are exact and release them")
    func exactness() throws {
        let tools = try WebPTools()
        let kinds: [WebPTestPicture] = [.photograph, .noise, .drawing, .palette]
        for (index, kind) in kinds.enumerated() {
            // More than 256 KB; at three or more bytes per pixel the ring wraps.
            let (width, height) = index == 0 ? (1301, 907) : (601, 503)
            let picture = kind.samples(
                width: width, height: height, bands: 3 + index % 2, seed: index)
            try tools.write(picture.netpbm, to: "a.pam")
            try tools.run([
                "cwebp -quiet -lossless -exact -m 1 a.pam -o a.webp",
                "cwebp -quiet -q 5 -m 0 a.pam -o alpha.webp",
            ])
            let scratch = ScratchSpace.test
            let rows = try WebPSamples(lossless: tools.read("a.webp"), scratch: scratch)
            #expect(rows.difference(from: picture) == nil, "\(kind)")
            if picture.bands == 4 {
                let file = try tools.read("alpha.webp")
                let plane = try WebPSamples(alphaOf: file, scratch: scratch)
                #expect(try plane == WebPSamples(alphaOf: file))
                let alpha = stride(from: 3, to: picture.values.count, by: 4)
                    .map { picture.values[$0] }
                #expect(plane.values == alpha)
            }
            #expect(scratch.liveBytes == 0)
        }
    }

    /// An image of 16384 × 1400 in one colour, with a cross-colour transform in blocks of 16 × 16.
    private static func manyFactors() -> [UInt8] {
        var bits = BitWriter()
        func putCodes(_ symbols: Int...) {
            // Simple codes of one symbol, which take no bits (RFC 9649, section 3.7.2.1.1).
            for symbol in symbols {
                bits.put(0b101, 3)
                bits.put(symbol, 8)
            }
        }
        bits.put(0x2F, 8)
        bits.put(16_383, 14)
        bits.put(1399, 14)
        bits.put(0, 4)
        // The transform, its blocks, no cache; green, red, blue, alpha and distance.
        bits.put(1, 1)
        bits.put(1, 2)
        bits.put(2, 3)
        bits.put(0, 1)
        putCodes(40, 7, 96, 255, 0)
        // No more transforms, no cache, one group.
        bits.put(0, 3)
        putCodes(100, 20, 30, 255, 0)
        return WebPFileWriter.file(WebPFileWriter.chunk("VP8L", bits.finished()))
    }

    @Test("Many colour factors use a scratch file and are exact")
    func factors() throws {
        let file = Self.manyFactors()
        let held = try TemporaryBytes(file)
        let scratch = ScratchSpace.test
        let rows = try LosslessWebPRows(
            held.openFile, scratch: scratch, isTolerant: false)
        // One byte per ring pixel, because only green varies, and three bytes per block.
        #expect(scratch.liveBytes >= (1 << 20) + 3 * 1024 * 88)
        var row = [UInt8](repeating: 0, count: rows.layout.rowBytes)
        for _ in 0..<40 { try row.withUnsafeMutableBytes { try rows.readRow(into: $0) } }
        // Red gains 96 × 100 >> 5, to 64. Blue gains 40 × 100 >> 5, and 7 × 64 >> 5 (RFC 9649,
        // section 3.5.2).
        let pixel: [UInt8] = [20 &+ 44, 100, 30 + 125 + 14]
        #expect(row == (0..<rows.layout.width).flatMap { _ in pixel })
    }

    @Test("Without enough scratch space only small images decode")
    func ceiling() throws {
        let scratch = ScratchSpace(folder: ScratchSpace.test.folder, ceiling: 100_000)
        for (side, isDecoded) in [(100, true), (600, false)] {
            var recipe = StreamWriter.Recipe(width: side, height: side)
            recipe.isOpaque = true
            let file = WebPFileWriter.file(
                WebPFileWriter.chunk("VP8L", StreamWriter.picture(recipe, seed: 1)))
            do {
                _ = try WebPSamples(lossless: file, scratch: scratch)
                #expect(isDecoded)
            } catch let fault as DecodingFault {
                #expect(!isDecoded && fault.code == .scratchLimit)
            }
            #expect(scratch.liveBytes == 0)
        }
    }

    @Test("The demand is smaller with scratch space, and never falls as an image grows")
    func demand() {
        typealias Demand = LosslessWebPDemand
        var before = 0.0
        for side in [0, 1, 16, 100, 400, 1000, 4032, 16_384, .max] {
            let heap = Demand.bytes(width: side, height: side, profileBytes: 7)
            let now = Demand.bytes(
                width: side, height: side, profileBytes: 7, ringInScratch: true)
            #expect(now <= heap && now >= before)
            let plane = Demand.alphaPlaneBytes(width: side, height: side, ringInScratch: true)
            #expect(plane <= Demand.alphaPlaneBytes(width: side, height: side))
            before = now
        }
        // Measured: 0.39 MB for 12 megapixels, 0.37 MB for 48.
        let photograph = Demand.bytes(
            width: 4032, height: 3024, profileBytes: 0, ringInScratch: true)
        #expect(photograph >= 390_000 && photograph <= 2 * 390_000 + 1_000_000)
    }
}
