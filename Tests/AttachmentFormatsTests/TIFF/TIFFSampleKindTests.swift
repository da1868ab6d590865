import AttachmentFormats
import Testing

@Suite("TIFF samples that differ from libvips", .timeLimit(.minutes(1)))
struct TIFFSampleKindTests {
    /// Decodes a file to its 8-bit or 16-bit samples.
    private func samples(_ tiff: TinyTIFF) throws -> (layout: RowLayout, samples: [Int]) {
        let bytes = tiff.bytes
        let decoded = try decodeTIFF(TemporaryBytes(bytes), length: bytes.count)
        let samples = decoded.pixels.withUnsafeBytes { bytes in
            decoded.layout.bytesPerSample == 2
                ? bytes.bindMemory(to: UInt16.self).map(Int.init) : bytes.map(Int.init)
        }
        return (decoded.layout, samples)
    }

    private func little(_ values: [UInt32]) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    }

    private func deep(_ values: [UInt32], photometric: UInt32 = 1, format: UInt32 = 1) -> TinyTIFF {
        var tiff = TinyTIFF(width: UInt32(values.count), height: 1, data: little(values))
        tiff.tags[258] = [32]
        tiff.tags[262] = [photometric]
        tiff.tags[339] = [format]
        return tiff
    }

    @Test("32-bit integers are scaled to 16 bits")
    func integers() throws {
        let values: [UInt32] = [0, 0x1234_5678, 0x8000_0000, 0xFFFF_FFFF]
        let black = try samples(deep(values))
        #expect(black.layout == RowLayout(width: 4, height: 1, bands: 1, bytesPerSample: 2))
        #expect(black.samples == [0, 0x1234, 0x8000, 0xFFFF])
        let white = try samples(deep(values, photometric: 0))
        #expect(white.samples == [0xFFFF, 0xEDCB, 0x7FFF, 0])
    }

    @Test("Floating-point samples are clipped to 0 and 1, and NaN becomes 0")
    func floats() throws {
        let values: [Float] = [-1, 0, 0.5, 1, 7, .infinity, -.infinity, .nan]
        let tiff = deep(values.map(\.bitPattern), format: 3)
        #expect(try samples(tiff).samples == [0, 0, 32_768, 65_535, 65_535, 65_535, 0, 0])
        for (tiff, isClipped) in [(tiff, true), (deep([7]), false)] {
            let bytes = tiff.bytes
            let file = try TemporaryBytes(bytes)
            let rows = try TIFFRows(
                file.openFile,
                scratch: ScratchSpace(folder: tiffScratchFolder, ceiling: 1 << 20),
                isTolerant: false)
            #expect(rows.notes.isEmpty != isClipped)
        }
    }

    /// A picture of 20 × 18 pixels with four samples, as planes in tiles of 16 × 16.
    private func tiledPlanes() -> (tiff: TinyTIFF, pixels: [[Int]]) {
        let (width, height, planes) = (20, 18, 4)
        func sample(_ x: Int, _ y: Int, _ plane: Int) -> UInt8 {
            UInt8(truncatingIfNeeded: x * 7 + y * 13 + plane * 61)
        }
        var data: [UInt8] = []
        for plane in 0..<planes {
            for (top, left) in [(0, 0), (0, 16), (16, 0), (16, 16)] {
                for y in top..<top + 16 {
                    for x in left..<left + 16 { data.append(sample(x, y, plane)) }
                }
            }
        }
        var tiff = TinyTIFF(width: UInt32(width), height: UInt32(height), data: data)
        for strips in [273, 278, 279] as [UInt16] { tiff.tags[strips] = nil }
        tiff.tags[258] = [8, 8, 8, 8]
        tiff.tags[262] = [2]
        tiff.tags[277] = [4]
        tiff.tags[284] = [2]
        (tiff.tags[322], tiff.tags[323]) = ([16], [16])
        tiff.tags[324] = (0..<16).map { UInt32(8 + $0 * 256) }
        tiff.tags[325] = [UInt32](repeating: 256, count: 16)
        tiff.tags[338] = [2]
        let pixels = (0..<height).flatMap { y in
            (0..<width).map { x in (0..<planes).map { Int(sample(x, y, $0)) } }
        }
        return (tiff, pixels)
    }

    @Test("Separate planes in tiles are interleaved")
    func separateTiles() throws {
        let (tiff, pixels) = tiledPlanes()
        let decoded = try samples(tiff)
        #expect(decoded.layout == RowLayout(width: 20, height: 18, bands: 4))
        #expect(decoded.samples == pixels.flatMap { $0 })
    }

    @Test("An extra sample of unspecified meaning is dropped, whether planes are separate or not")
    func unspecified() throws {
        var (tiff, pixels) = tiledPlanes()
        tiff.tags[338] = [0]
        let separate = try samples(tiff)
        #expect(separate.layout == RowLayout(width: 20, height: 18, bands: 3))
        #expect(separate.samples == pixels.flatMap { $0.prefix(3) })

        var interleaved = TinyTIFF(
            width: 20, height: 18, data: pixels.flatMap { $0.map { UInt8($0) } })
        interleaved.tags[258] = [8, 8, 8, 8]
        (interleaved.tags[262], interleaved.tags[277]) = ([2], [4])
        #expect(try samples(interleaved).samples == pixels.flatMap { $0 })
        interleaved.tags[338] = [0]
        #expect(try samples(interleaved).samples == pixels.flatMap { $0.prefix(3) })
    }
}
