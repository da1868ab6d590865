import AttachmentFormats
import Foundation
import Randomness
import Testing

@Suite("Hostile lossy WebP", .timeLimit(.minutes(2)))
struct LossyWebPHostilityTests {
    /// Small files with one and several partitions, one of them with compressed alpha.
    private static func files() throws -> [[UInt8]] {
        let opaque = try [0, 2].map { partitions in
            try PartitionedWebP.encode(
                WebPTestPicture.drawing.samples(width: 40, height: 37, bands: 3, seed: 2),
                partitions: partitions)
        }
        let transparent = try LossyWebPReference().encode([
            .init(options: "-q 10", kind: .drawing, width: 40, height: 37, bands: 4)
        ])
        return opaque + transparent
    }

    /// Reads as many rows as the decoder announces; every fault must be typed.
    private func read(_ file: [UInt8], isTolerant: Bool, width: Int = 40, height: Int = 37) throws {
        let held = try TemporaryBytes(file)
        let scratch = ScratchSpace.test
        do throws(DecodingFault) {
            let rows = try LossyWebPRows(
                held.openFile, width: width, height: height,
                scratch: scratch, isTolerant: isTolerant)
            var row = [UInt8](repeating: 0, count: rows.layout.rowBytes)
            for _ in 0..<rows.layout.height {
                try Self.read(rows, into: &row)
            }
        } catch {
            #expect(!error.reason.isEmpty)
            #expect(0...file.count ~= error.offset)
        }
        #expect(scratch.liveBytes == 0)
    }

    private static func read(
        _ rows: LossyWebPRows, into row: inout [UInt8]
    ) throws(DecodingFault) {
        var fault: DecodingFault?
        row.withUnsafeMutableBytes { bytes in
            do throws(DecodingFault) {
                try rows.readRow(into: bytes)
            } catch {
                fault = error
            }
        }
        if let fault { throw fault }
    }

    @Test("Any flipped byte is a fault or an image")
    func flips() throws {
        for file in try Self.files() {
            for place in file.indices where place < 96 || place % 5 == 0 {
                var damaged = file
                damaged[place] ^= place % 2 == 0 ? 0xFF : UInt8(1 << (place % 8))
                try read(damaged, isTolerant: place % 3 == 0)
                try read(damaged, isTolerant: place % 3 == 1, width: 13, height: 12)
            }
        }
    }

    @Test("Truncation at any byte is a fault or an image")
    func cuts() throws {
        for file in try Self.files() {
            for length in 0..<file.count where length < 64 || length % 3 == 0 {
                try read(Array(file.prefix(length)), isTolerant: true)
            }
        }
    }

    @Test("Extreme lengths and sizes are faults or images")
    func extremes() throws {
        for file in try Self.files() {
            for place in 4..<64 {
                for value in [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFE, 0xFFFF_FFFF] {
                    var damaged = file
                    damaged.replaceSubrange(
                        place..<place + 4, with: WebPFileWriter.number(value, 4))
                    try read(damaged, isTolerant: true)
                    try read(damaged, isTolerant: false)
                }
            }
        }
    }

    @Test("Noise in place of image data is a fault or an image")
    func noise() throws {
        for (seed, file) in (try Self.files()).enumerated() {
            for round in 0..<40 {
                var dice = SplitMix64(seed: UInt64(97 * seed + round))
                var damaged = file
                for place in (60 + round)..<file.count {
                    damaged[place] = UInt8(dice.roll(0...255))
                }
                try read(damaged, isTolerant: round % 2 == 0)
            }
        }
    }
}
