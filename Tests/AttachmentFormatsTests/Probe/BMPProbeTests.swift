import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Testing

@Suite("BMP headers") struct BMPProbeTests {
    @Test("Size, depth and colours")
    func plain() throws {
        let header = try probe(SampleBMP().bytes)
        #expect(header.format == .bmp && header.coding.name == "packed")
        #expect(header.storedSize == PixelSize(width: 40, height: 30))
        #expect(header.colourModel == .rgb && header.bitsPerSample == 8 && !header.hasAlpha)
        #expect(try probe(SampleBMP(height: -30).bytes).storedSize.height == 30)
        let palette = try probe(SampleBMP(bits: 4).bytes([UInt8](repeating: 0, count: 700)))
        #expect(palette.colourModel == .palette && palette.bitsPerSample == 4)
    }

    @Test(
        "Unsupported kinds are refused by name",
        arguments: [
            (SampleBMP(bits: 0, compression: 4), "JPEG"),
            (SampleBMP(bits: 0, compression: 5), "PNG"),
            (SampleBMP(bits: 8, compression: 12), "CMYK"), (SampleBMP(bits: 40), "40 bits"),
            (SampleBMP(bits: 1, compression: 3, headerBytes: 64), "Huffman"),
            (SampleBMP(bits: 8, compression: 2), "compression 2"),
            (SampleBMP(planes: 3), "3 planes"), (SampleBMP(headerBytes: 70), "70 bytes"),
            (SampleBMP(width: 2_000_000, height: 1), "1048576 pixels a side"),
        ] as [(SampleBMP, String)])
    func unsupported(sample: SampleBMP, name: String) {
        let error = refusal(of: sample.bytes([0]))
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains(name) == true, "\(String(describing: error))")
    }

    @Test("Masks that overlap no pixel or have gaps are corrupt")
    func masks() throws {
        for masks in [[0, 0, 0], [0xF0F0, 0xF, 0xF00], [0x10000, 0x20000, 0x40000]] {
            let sample = SampleBMP(bits: 16, compression: 3, masks: masks)
            #expect(refusal(of: sample.bytes)?.code == .corrupt)
        }
        let sample = SampleBMP(bits: 16, compression: 3, masks: [0xF00, 0xF0, 0xF])
        #expect(try !probe(sample.bytes).hasAlpha)
    }

    @Test("Pixels within the header are corrupt, and beyond the end of the file truncated")
    func offsets() throws {
        #expect(refusal(of: SampleBMP(offset: 20).bytes)?.code == .corrupt)
        #expect(refusal(of: SampleBMP(offset: 1 << 20).bytes)?.code == .truncated)
        // 0 means behind the header.
        #expect(try probe(SampleBMP(offset: 0).bytes) == probe(SampleBMP().bytes))
        #expect(refusal(of: SampleBMP(width: 0).bytes([0]))?.code == .dimensions)
        #expect(refusal(of: SampleBMP(width: -4).bytes([0]))?.code == .dimensions)
    }
}
