@testable import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import Synchronization
import Testing

@Suite("Hostile frames", .timeLimit(.minutes(2)))
struct FrameHostilityTests {
    private static let av1 = FrameRecipe(
        width: 70, height: 50, options: ["--min", "50", "--max", "60"], isNoise: false)
    private static let hevc = FrameRecipe(
        isAV1: false, width: 96, height: 192, options: ["x265:slices=3", "quality=5"],
        isNoise: false)
    private static let pieces = Result { try FramePiece.code([av1, hevc]) }

    /// Decodes and reads all rows; returns the fault, if any.
    private static func fault(
        _ piece: FramePiece, isTolerant: Bool = false, heapCeiling: Int = .max,
        scratch: ScratchSpace? = nil
    ) throws -> DecodingFault.Code? {
        do {
            _ = try piece.decode(
                scratch: scratch, heapCeiling: heapCeiling, isTolerant: isTolerant
            ).rows
            return nil
        } catch let fault as DecodingFault {
            #expect(!fault.reason.isEmpty)
            return fault.code
        }
    }

    @Test("A frame truncated at any byte is a fault, or a picture if tolerated")
    func truncation() throws {
        for recipe in [Self.av1, Self.hevc] {
            let whole = try #require(Self.pieces.get()[recipe])
            let ends = recipe.isAV1 ? [] : Self.unitEnds(of: whole)
            var decoded = 0
            for length in 0..<whole.bytes.count {
                var piece = whole
                piece.bytes = Array(whole.bytes.prefix(length))
                if !ends.contains(length) {
                    #expect(try Self.fault(piece) != nil, "\(recipe) to \(length)")
                }
                if try Self.fault(piece, isTolerant: true) == nil { decoded += 1 }
            }
            // dav1d returns nothing of a damaged frame.
            #expect(recipe.isAV1 ? decoded == 0 : decoded > whole.bytes.count / 2)
        }
    }

    /// Ends of NAL units: a picture without its last slices looks complete.
    private static func unitEnds(of piece: FramePiece) -> [Int] {
        var ends: [Int] = []
        var start = 0
        while start + 4 <= piece.bytes.count {
            start += 4 + piece.bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            ends.append(start)
        }
        return ends
    }

    @Test("Changed bytes in a frame or its configuration give a fault or a picture")
    func changes() throws {
        var noise = SplitMix64(seed: 1)
        for recipe in [Self.av1, Self.hevc] {
            let whole = try #require(Self.pieces.get()[recipe])
            var faults = 0
            for round in 0..<300 {
                var piece = whole
                for _ in 0...round % 4 {
                    let value = [0, 255, 127, 128, noise.below(256)][noise.below(5)]
                    let byte = UInt8(truncatingIfNeeded: value)
                    if round % 3 == 0 {
                        piece.configuration[noise.below(piece.configuration.count)] = byte
                    } else {
                        piece.bytes[noise.below(piece.bytes.count)] = byte
                    }
                }
                if try Self.fault(piece, isTolerant: round % 2 == 0) != nil { faults += 1 }
            }
            #expect(faults > 50)
        }
    }

    @Test("Extreme values in configurations, NAL unit lengths, sizes and positions are handled")
    func extremes() throws {
        for recipe in [Self.av1, Self.hevc] {
            let whole = try #require(Self.pieces.get()[recipe])
            for index in whole.configuration.indices {
                for byte: UInt8 in [0, 0x7F, 0xFF] {
                    var piece = whole
                    piece.configuration[index] = byte
                    _ = try Self.fault(piece, isTolerant: true)
                }
            }
            for length: [UInt8] in [[0, 0, 0, 0], [0, 0, 0, 1], [0x7F, 255, 255, 255]] {
                var piece = whole
                piece.bytes.replaceSubrange(0..<4, with: length)
                #expect(try Self.fault(piece) != nil)
                _ = try Self.fault(piece, isTolerant: true)
            }
            for size in [(0, 0), (1, 1), (71, 50), (96, 191), (1 << 16, 64), (.max, .max), (-1, 9)]
            {
                var piece = whole
                (piece.width, piece.height) = size
                #expect(try Self.fault(piece, isTolerant: true) != nil, "\(size)")
            }
        }
    }

    @Test("Extents are read in order, and overlapping ones are rejected")
    func extents() throws {
        for recipe in [Self.av1, Self.hevc] {
            let piece = try #require(Self.pieces.get()[recipe])
            let count = piece.bytes.count
            let file = try TemporaryBytes(
                Array(piece.bytes[(count / 3)...]) + [1, 2, 3] + piece.bytes[..<(count / 3)])
            let decoder = FrameDecoder(
                file: OpenFile(descriptor: file.descriptor, length: count + 3),
                scratch: FramePiece.scratch, isCancelled: { false })
            var frame = piece.frame()
            let second = count - count / 3
            frame.extents = [second + 3..<count + 3, 0..<0, 0..<100, 100..<second]
            let decoded = try decoder.decode(frame)
            #expect(decoded.rows == (try piece.decode().rows))
            frame.extents = Array(repeating: 0..<count, count: 3)
            #expect(throws: DecodingFault.self) {
                try decoder.decode(frame)
            }
        }
    }

    @Test("A frame larger than stated by the file allocates nothing")
    func larger() throws {
        let scratch = ScratchSpace(folder: NSTemporaryDirectory(), ceiling: 4 << 20)
        let recipe = FrameRecipe(
            isAV1: false, width: 640, height: 640, options: ["x265:sao=1"], isNoise: false)
        var piece = try #require(try FramePiece.code([recipe])[recipe])
        #expect(try Self.fault(piece, scratch: scratch) == nil)
        (piece.width, piece.height) = (320, 320)
        #expect(try Self.fault(piece, scratch: scratch) == .corrupt)
        (piece.width, piece.height) = (640, 640)
        let small = ScratchSpace(folder: NSTemporaryDirectory(), ceiling: 300_000)
        #expect(try Self.fault(piece, scratch: small) == .scratchLimit)
        #expect(small.liveBytes == 0)
        #expect(scratch.liveBytes == 0)
    }

    @Test("A bitstream above the heap ceiling is rejected")
    func heap() throws {
        let tiled = FrameRecipe(
            width: 520, height: 520,
            options: ["--tilerowslog2", "3", "--tilecolslog2", "3", "--min", "60", "--max", "63"],
            isNoise: false)
        let blocks = FrameRecipe(
            isAV1: false, width: 640, height: 640, options: ["x265:ctu=16"], isNoise: false)
        let pieces = try FramePiece.code([tiled, blocks])
        let av1 = try #require(pieces[tiled])
        // 25 tiles, of a superblock of 128 pixels each, take 0.4 MB; everything else 0.6 MB.
        #expect(try Self.fault(av1, heapCeiling: 900_000) == .overCeiling)
        #expect(try Self.fault(av1, heapCeiling: 1_100_000) == nil)
        let hevc = try #require(pieces[blocks])
        #expect(try Self.fault(hevc, heapCeiling: 1_500_000) == .overCeiling)
        #expect(try Self.fault(hevc, heapCeiling: 4_000_000) == nil)
    }

    @Test("Too many parameter sets are rejected")
    func parameterSets() throws {
        let whole = try #require(Self.pieces.get()[Self.hevc])
        var piece = whole
        piece.configuration += [0xA2, 0, 100]
        for number in 0..<100 {
            // A set that is there already does not count again.
            let unit = [0x44, 0x01] + Array(repeating: 0xFF, count: 1000) + [UInt8(number)]
            piece.configuration += [UInt8(unit.count >> 8), UInt8(unit.count & 0xFF)] + unit
        }
        piece.configuration[22] += 1
        #expect(try Self.fault(piece) == .limit)
    }

    @Test("Too many slices and too much metadata are rejected")
    func slices() throws {
        var hevc = try #require(Self.pieces.get()[Self.hevc])
        // A slice segment that is not the first of its picture.
        let unit: [UInt8] = [0, 0, 0, 6, 0x26, 0x01, 0x20, 0x80, 0x80, 0x80]
        for _ in 0..<700 { hevc.bytes += unit }
        #expect(try Self.fault(hevc, isTolerant: true) != nil)
        #expect(try Self.fault(hevc, heapCeiling: 1_500_000) != nil)
        var av1 = try #require(Self.pieces.get()[Self.av1])
        // A metadata OBU with its size in three groups of seven bits.
        let size = 100_000
        av1.bytes += [5 << 3 | 2, UInt8(size & 0x7F | 0x80), UInt8(size >> 7 & 0x7F | 0x80)]
        av1.bytes += [UInt8(size >> 14)] + Array(repeating: 4, count: size)
        #expect(try Self.fault(av1) == .limit)
    }

    @Test("A cancelled decode stops between slices")
    func cancelled() throws {
        for recipe in [Self.av1, Self.hevc] {
            let piece = try #require(Self.pieces.get()[recipe])
            for limit in 0..<(recipe.isAV1 ? 1 : 3) {
                let asked = Atomic(0)
                let fault = #expect(throws: DecodingFault.self) {
                    try piece.decode(isCancelled: {
                        asked.add(1, ordering: .relaxed).newValue > limit
                    })
                }
                #expect(fault?.code == .cancelled)
            }
        }
    }
}
