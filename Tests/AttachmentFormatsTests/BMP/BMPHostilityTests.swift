import AttachmentFormats
import Foundation
import Randomness
import Testing

@Suite("Damaged and hostile BMP", .timeLimit(.minutes(2)))
struct BMPHostilityTests {
    /// Files of every coding and depth, of 7 × 5 pixels.
    private static func smallFiles() throws -> [BMPSamples.Sample] {
        let lines = BMPSamples.names.filter { $0.contains("7x5") }
        try #require(lines.count > 100)
        return try stride(from: 0, to: lines.count, by: 17).map { try BMPSamples.sample(lines[$0]) }
    }

    @Test("A file truncated anywhere is truncated, and a tolerant decode keeps the rows present")
    func truncation() throws {
        for sample in try Self.smallFiles() {
            var (truncated, kept) = (0, 0)
            for length in 0..<sample.bytes.count {
                do {
                    let decoded = try decodeBMP(sample.bytes, length: length)
                    // Only padding, an end code or a profile is missing.
                    #expect(decoded.pixels == sample.pixels, "\(sample.name) cut to \(length)")
                } catch let fault as DecodingFault {
                    #expect(
                        fault.code == .truncated || length < 18,
                        "\(sample.name) cut to \(length): \(fault)")
                    truncated += 1
                }
                if let decoded = try? decodeBMP(sample.bytes, length: length, isTolerant: true) {
                    // Without a row that has alpha, the picture is opaque.
                    let layout = decoded.layout
                    #expect(layout.width == 7 && layout.height == 5)
                    #expect(decoded.pixels.count == layout.rowBytes * layout.height)
                    kept += 1
                }
            }
            #expect(truncated > 20 && kept > 0, "\(sample.name)")
        }
    }

    @Test("A tolerant decode of half a file has the rows that are stored first")
    func half() throws {
        for direction in ["up", "down"] {
            let sample = try BMPSamples.sample(named: "24-bit-40-\(direction)-40x9")
            let stored = 54 + 120 * 4
            let decoded = try decodeBMP(sample.bytes, length: stored, isTolerant: true)
            let blank = [UInt8](repeating: 0, count: 120 * 5)
            #expect(
                decoded.pixels
                    == (direction == "up"
                        ? blank + sample.pixels.suffix(480) : sample.pixels.prefix(480) + blank))
        }
    }

    @Test("Any changed byte gives a fault or a picture")
    func flips() throws {
        var (pictures, faults) = (0, 0)
        for sample in try Self.smallFiles() {
            for index in sample.bytes.indices {
                for mask: UInt8 in [0xFF, 0x01, 0x80] {
                    var bytes = sample.bytes
                    bytes[index] ^= mask
                    do {
                        _ = try decodeBMP(bytes, isTolerant: index.isMultiple(of: 2), rows: 20)
                        pictures += 1
                    } catch {
                        faults += 1
                    }
                }
            }
        }
        #expect(pictures > 100 && faults > 100)
    }

    @Test("Random run-length codes give a fault or a picture")
    func randomRuns() throws {
        var randomness = SplitMix64(seed: 11)
        for name in ["runs-4-up-40x9", "runs-8-down-40x9", "runs-24-up-40x9"] {
            let line = try #require(BMPSamples.names.first { $0.hasPrefix(name) })
            let sample = try BMPSamples.sample(line)
            let start = Int(sample.bytes[10]) | Int(sample.bytes[11]) << 8
            let head = sample.bytes.prefix(start)
            for _ in 0..<200 {
                let noise = (0..<300).map { _ in
                    Bool.random(using: &randomness)
                        ? 0 : UInt8.random(in: 0...255, using: &randomness)
                }
                let decoded = try decodeBMP(head + noise, isTolerant: true)
                #expect(decoded.pixels.count == sample.pixels.count)
            }
        }
    }
}
