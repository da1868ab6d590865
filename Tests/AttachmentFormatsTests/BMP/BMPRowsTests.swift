import AttachmentContainer
@testable import AttachmentFormats
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@Suite("BMP, row by row", .timeLimit(.minutes(2)))
struct BMPRowsTests {
    @Test(
        "Every pixel of every kind, which Pillow confirms where it can", arguments: [false, true])
    func matrix(isTolerant: Bool) throws {
        let samples = try BMPSamples.names.map { try BMPSamples.sample($0) }
        #expect(samples.count > 1500)
        #expect(samples.count(where: \.isConfirmed) > 500)
        var differing: [String] = []
        for sample in samples {
            do {
                let decoded = try decodeBMP(sample.bytes, isTolerant: isTolerant)
                if decoded.layout != sample.layout || decoded.pixels != sample.pixels {
                    differing.append(sample.name)
                }
            } catch {
                differing.append("\(sample.name): \(error)")
            }
        }
        #expect(differing == [])
    }

    @Test("If the stated offset of the pixels is that of the palette, they begin behind it")
    func offsetOfPalette() throws {
        var count = 0
        for line in BMPSamples.names {
            let sample = try BMPSamples.sample(line)
            var bytes = sample.bytes
            let (headerBytes, offset) = (Int(bytes[14]), Int(bytes[10]) | Int(bytes[11]) << 8)
            // Bits, compression and number of colours.
            guard headerBytes >= 40, bytes[28] <= 8, bytes[30] == 0 else { continue }
            let stated = Int(bytes[46]) | Int(bytes[47]) << 8
            let colours = stated == 0 ? 1 << Int(bytes[28]) : stated
            guard offset == 14 + headerBytes + 4 * colours else { continue }
            (bytes[10], bytes[11]) = (UInt8(14 + headerBytes), 0)
            #expect(try decodeBMP(bytes).pixels == sample.pixels, "\(sample.name)")
            count += 1
        }
        #expect(count > 20)
    }

    @Test("The header has the size, the colour model and alpha of the rows")
    func headers() throws {
        for line in BMPSamples.names where !line.hasPrefix("zero-alpha") {
            let sample = try BMPSamples.sample(line)
            let header = try probe(sample.bytes)
            #expect(header.storedSize.width == sample.layout.width, "\(sample.name)")
            #expect(header.storedSize.height == sample.layout.height, "\(sample.name)")
            #expect(header.hasAlpha == (sample.layout.bands == 4), "\(sample.name)")
            #expect(header.format == .bmp && header.frameCount == 1)
            let isRunLength = ["runs", "skips"].contains { sample.name.hasPrefix($0) }
            #expect(header.coding.name == (isRunLength ? "run-length" : "packed"))
        }
    }

    @Test("An embedded profile is returned unchanged; an unreadable one is ignored with a note")
    func profile() throws {
        let sample = try BMPSamples.sample(named: "profile")
        let decoded = try decodeBMP(sample.bytes)
        #expect(decoded.rows.profile == (0..<200).map { UInt8($0) })
        #expect(try probe(sample.bytes).profileBytes == 200)
        #expect(decoded.rows.notes.isEmpty)
        // Length and offset of the profile (version 5, bytes 112 to 119 of the header).
        for (place, byte) in [(14 + 116 + 3, 0x7F), (14 + 116, 1), (14 + 112 + 2, 9)] {
            var bytes = sample.bytes
            bytes[place] = UInt8(byte)
            if place == 14 + 116 { bytes[place + 1] = 0 }
            let damaged = try decodeBMP(bytes)
            #expect(damaged.pixels == sample.pixels)
            #expect(damaged.rows.profile == nil && damaged.rows.notes.count == 1)
            #expect(try probe(bytes).profileBytes == 0)
        }
    }

    @Test("Alpha of zeros is opaque, and a note says so")
    func zeroAlpha() throws {
        let sample = try BMPSamples.sample(named: "zero-alpha")
        #expect(try probe(sample.bytes).hasAlpha)
        #expect(try decodeBMP(sample.bytes).rows.notes.count == 1)
    }

    @Test("Rows of several blocks, and a row longer than a block, are read in both directions")
    func blocks() throws {
        for (width, height) in [(1000, 300), (50_000, 5)] {
            var samples: [[UInt8]] = []
            for isTopDown in [false, true] {
                let bmp = SampleBMP(width: width, height: isTopDown ? -height : height)
                let stride = (width * 3 + 3) / 4 * 4
                var data = [UInt8](repeating: 0, count: stride * height)
                for y in 0..<height {
                    let row = isTopDown ? y : height - 1 - y
                    for x in 0..<width * 3 {
                        data[row * stride + x] = UInt8((x * 7 + y * 13) & 255)
                    }
                }
                samples.append(try decodeBMP(bmp.bytes(data)).pixels)
            }
            #expect(samples[0] == samples[1])
            #expect(samples[0].count == width * height * 3)
            #expect(samples[0].last == UInt8(((width - 1) * 3 * 7 + (height - 1) * 13) & 255))
        }
    }

    @Test("The demand covers the buffers, at most twice")
    func demand() throws {
        for (width, height, bits, compression) in [
            (1, 1, 1, 0), (4032, 3024, 24, 0), (65_535, 10, 32, 0), (640, 480, 8, 1),
            (10, 100_000, 4, 2),
        ] {
            let bytes = SampleBMP(
                width: width, height: height, bits: bits, compression: compression
            ).bytes([0])
            let header = try probe(bytes)
            let demand = header.coding.boundedDemand(
                of: header,
                DecodingConditions(
                    usesScratch: true, placesLargeBlocks: true, requestedSize: header.storedSize))
            let stride = (width * bits + 31) / 32 * 4
            let rows = min(max(1, (128 << 10) / stride), height)
            let used = compression == 0 ? rows * stride : height * 8 + width + 4096
            #expect(demand >= Double(used) && demand <= Double(2 * used) + 10_000)
        }
    }
}
