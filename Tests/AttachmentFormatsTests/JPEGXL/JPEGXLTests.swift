import AttachmentContainer
import AttachmentFormats
import AttachmentJPEGXL
import AttachmentModel
import Foundation
import Testing

@Suite("JPEG XL") struct JPEGXLTests {
    @Test(
        "Size, colours and alpha are read, bare and in boxes",
        arguments: [
            (SampleJPEGXL.rgb, ColourModel.rgb, false, "modular"),
            (SampleJPEGXL.boxed, .rgb, false, "modular"),
            (SampleJPEGXL.rgba, .rgb, true, "modular"),
            (SampleJPEGXL.grey, .grey, false, "modular"),
            (SampleJPEGXL.lossy, .rgb, false, "lossy"),
        ])
    func header(sample: String, model: ColourModel, hasAlpha: Bool, coding: String) throws {
        let header = try probe(bytes(sample))
        #expect(header.format == .jpegXL)
        #expect(header.storedSize == PixelSize(width: 40, height: 30))
        #expect(header.colourModel == model && header.hasAlpha == hasAlpha)
        #expect(header.bitsPerSample == 8 && header.orientation == .upright)
        #expect(header.frameCount == 1 && header.profileBytes == 0)
        // The encoder chooses; a hidden first frame of patches leaves it open.
        #expect([coding, "compressed"].contains(header.coding.name), "\(header.coding.name)")
    }

    @Test(
        "Pixels are those that were encoded",
        arguments: [
            (SampleJPEGXL.rgb, 3, 0), (SampleJPEGXL.boxed, 3, 0), (SampleJPEGXL.rgba, 4, 0),
            (SampleJPEGXL.grey, 1, 0), (SampleJPEGXL.lossy, 3, 24),
        ])
    func pixels(sample: String, bands: Int, tolerance: Int) throws {
        let rows = try open(bytes(sample))
        #expect(rows.layout.bands == bands && rows.profile == nil)
        var row = [UInt8](repeating: 0, count: rows.layout.rowBytes)
        for y in 0..<30 {
            try row.withUnsafeMutableBytes { buffer in
                Result { () throws(DecodingFault) in try rows.readRow(into: buffer) }
            }.get()
            for x in 0..<40 {
                let colour = [x * 6 % 256, y * 8 % 256, (x + y) * 3 % 256, 255 - x * 5]
                for band in 0..<bands {
                    let difference = abs(Int(row[x * bands + band]) - colour[band])
                    #expect(difference <= tolerance, "band \(band) at \(x), \(y)")
                }
            }
        }
    }

    @Test("A cut file is truncated, and a damaged one corrupt")
    func damage() throws {
        for sample in [SampleJPEGXL.rgb, SampleJPEGXL.lossy] {
            let whole = bytes(sample)
            #expect(throws: DecodingFault.self) { try open(Array(whole.dropLast(whole.count / 3))) }
        }
        let error = try #require(fault(of: Array(bytes(SampleJPEGXL.rgb).dropLast(8))))
        #expect(error.code == .truncated)
    }

    @Test("A header of any length ends in a header or an error")
    func cuts() throws {
        let whole = bytes(SampleJPEGXL.boxed)
        for length in 12..<whole.count {
            guard let error = refusal(of: Array(whole.prefix(length))) else { continue }
            #expect(error.code == .truncated, "\(error) at \(length)")
        }
    }

    @Test("The largest size is read, and memory for it is not planned")
    func hostile() throws {
        // SizeHeader: not small, both sides of 2^30 (ISO/IEC 18181-1, D.2); metadata all default.
        var bits = [false] + [true, true] + [Bool](repeating: true, count: 30)
        bits += [false, false, false] + [true, true] + [Bool](repeating: true, count: 30)
        bits += [true, true, true]
        let header = try probe([0xFF, 0x0A] + packed(bits) + [0xFF, 0, 0])
        #expect(header.storedSize == PixelSize(width: 1 << 30, height: 1 << 30))
        let conditions = DecodingConditions(
            usesScratch: false, placesLargeBlocks: false, requestedSize: header.storedSize)
        #expect(header.coding.boundedDemand(of: header, conditions) > 1e18)
    }

    @Test("A frame larger than its picture counts, in memory and against the limits")
    func largerFrame() throws {
        // Grey of 8 × 8 pixels, then a modular frame (annex F) with a size of its own: 5 × 300,000.
        var bits = [false, false, false, true] + [false, false] + [false] + [false, false]
        bits += [true, true] + [false, false] + [true]
        bits += [Bool](repeating: false, count: 2 * 10) + [false, false] + number(5, 8)
        bits += [true, true] + number(300_000 - 18_688, 30)
        let picture: [UInt8] = [0xFF, 0x0A, 0x41, 0x40, 0x50, 0x5C, 0x08]
        let header = try probe(picture + packed(bits) + [0])
        #expect(header.storedSize == PixelSize(width: 8, height: 8))
        #expect(header.codedSize == PixelSize(width: 5, height: 300_000))
        let conditions = DecodingConditions(
            usesScratch: false, placesLargeBlocks: false, requestedSize: header.storedSize)
        #expect(header.coding.boundedDemand(of: header, conditions) > 5 * 300_000 * 42)
    }

    @Test("Inks are refused by name")
    func inks() {
        // Small, 8 × 8 (ratio 1); a black channel of 8 bits without a name (E.4).
        var bits = [true] + [Bool](repeating: false, count: 5) + [true, false, false]
        bits += [false, false] + [false, false, false] + [true] + [true, false]
        bits += [false] + [false, true] + [false, true, false, false] + [false, false, false]
        bits += [false, false] + [false, false] + [false] + [true] + [false, false]
        bits += [Bool](repeating: true, count: 40)
        let error = refusal(of: [0xFF, 0x0A] + packed(bits))
        #expect(error?.code == .unsupported && error?.reason.contains("CMYK") == true)
    }

    private func bytes(_ sample: String) -> [UInt8] { Array(Data(base64Encoded: sample) ?? Data()) }

    private func number(_ value: Int, _ count: Int) -> [Bool] {
        (0..<count).map { value >> $0 & 1 == 1 }
    }

    private func packed(_ bits: [Bool]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: (bits.count + 7) / 8)
        for (index, bit) in bits.enumerated() where bit { bytes[index / 8] |= 1 << (index % 8) }
        return bytes
    }

    private func fault(of bytes: [UInt8]) -> DecodingFault? {
        do {
            _ = try open(bytes)
            return nil
        } catch {
            return error as? DecodingFault
        }
    }

    private func open(_ bytes: [UInt8]) throws -> any DecodedRows {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString).jxl")
        try Data(bytes).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let header = try probe(bytes)
        let coding = try #require(header.decodableCoding)
        let picture = try coding.open(
            header,
            in: DecoderInput(
                AttachmentFile(path: path.path), for: .rows, isTolerant: false, isPreview: false,
                requestedSize: header.storedSize, loadShrink: 1, scratch: nil,
                isCancelled: { false }))
        guard case .rows(let rows) = picture else { throw CancellationError() }
        return rows
    }
}
