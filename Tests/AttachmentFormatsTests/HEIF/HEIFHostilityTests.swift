import AttachmentFormats
import Foundation
import SampleMedia
import Synchronization
import Testing

@Suite("Damaged HEIF files", .timeLimit(.minutes(2)))
struct HEIFHostilityTests {
    private static let pieces = Result {
        try CodedPiece.code([
            CodedPiece.Recipe(isAV1: true, width: 32, height: 32),
            CodedPiece.Recipe(isAV1: true, width: 32, height: 32, chroma: "mono", seed: 1),
        ])
    }

    /// A grid that uses most table features.
    private static func sample() throws -> [UInt8] {
        let pieces = try pieces.get()
        let colour = try #require(pieces.first { $0.key.chroma == "420" }?.value)
        let alpha = try #require(pieces.first { $0.key.chroma == "mono" }?.value)
        var writer = HEIFWriter.mosaic(
            [colour], columns: 2, rows: 2, 50, 60,
            [
                HEIFWriter.turn(3), HEIFWriter.mirror(1), HEIFWriter.aperture(80, 90, 1, -1),
                HEIFWriter.profile([1, 2, 3, 4]),
            ])
        writer.addMosaic(20, [alpha], columns: 2, rows: 2, 50, 60, [HEIFWriter.alpha])
        writer.linkAlpha(20, isPremultiplied: true)
        writer.items[0].place = .itemData
        writer.items[2].place = .pieces(2)
        return writer.bytes
    }

    /// Reads a few thousand rows at most; true if all rows of the file were read without a fault.
    private static func reads(_ bytes: [UInt8], isTolerant: Bool) throws -> Bool {
        let file = try TemporaryBytes(bytes)
        let scratch = ScratchSpace(folder: "/var/tmp", ceiling: 4 << 20)
        do throws(DecodingFault) {
            let rows = try HEIFRows(
                in: file.openFile, scratch: scratch,
                isTolerant: isTolerant, isCancelled: { false })
            // The coded tiles bound the claimed size: 256 tiles side by side.
            #expect(rows.layout.width <= 256 * 32 && rows.layout.height <= 256 * 32)
            let row = UnsafeMutableRawBufferPointer.allocate(
                byteCount: rows.layout.rowBytes, alignment: 16)
            defer { row.deallocate() }
            for _ in 0..<min(rows.layout.height, 2_000) { try rows.readRow(into: row) }
            return true
        } catch {
            #expect(!error.reason.isEmpty && error.offset >= 0)
            return false
        }
    }

    @Test("A file truncated anywhere is a fault, or a picture without the missing parts")
    func truncated() throws {
        let bytes = try Self.sample()
        #expect(try Self.reads(bytes, isTolerant: false))
        var pictures = 0
        for count in 0..<bytes.count {
            let prefix = Array(bytes[..<count])
            #expect(try !Self.reads(prefix, isTolerant: false), "\(count) of \(bytes.count) bytes")
            if try Self.reads(prefix, isTolerant: true) { pictures += 1 }
        }
        #expect(pictures > 100)
    }

    @Test("Extreme values in the tables give a fault or a picture")
    func extremes() throws {
        let bytes = try Self.sample()
        let tables = try #require(bytes.firstRange(of: Array("mdat".utf8))).lowerBound
        var pictures = 0
        for place in 0..<tables {
            for value in [[0], [0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF]]
                as [[UInt8]]
            {
                var damaged = bytes
                damaged.replaceSubrange(place..<place + value.count, with: value)
                if try Self.reads(damaged, isTolerant: place % 2 == 0) { pictures += 1 }
            }
        }
        #expect(pictures > 100)
    }

    @Test("An extent at the largest offset is a fault, not an overflow")
    func largestOffset() throws {
        let colour = try #require(
            Self.pieces.get().first { $0.key.chroma == "420" }?.value)
        var writer = HEIFWriter.single(colour)
        writer.items[0].place = .pieces(8)
        writer.locationWidth = 8
        var bytes = writer.bytes
        let start = try #require(bytes.firstRange(of: Array("mdat".utf8))).upperBound
        // The third extent, which the frame header reaches.
        let first = colour.bytes.count * 2 / 8
        let length = HEIFWriter.big(colour.bytes.count * 3 / 8 - first, 8)
        let extent = try #require(
            bytes.firstRange(of: HEIFWriter.big(start + first + 6, 8) + length))
        let offset = Int.max - (colour.bytes.count * 3 / 8 - first)
        bytes.replaceSubrange(extent, with: HEIFWriter.big(offset, 8) + length)
        #expect(try !Self.reads(bytes, isTolerant: false))
    }

    @Test("Flipped bits anywhere give a fault or a picture")
    func flips() throws {
        let bytes = try Self.sample()
        var state: UInt64 = 0x6865_6966
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var pictures = 0
        for round in 0..<1_500 {
            var damaged = bytes
            for _ in 0...next(3) { damaged[next(bytes.count)] ^= 1 << next(8) }
            if try Self.reads(damaged, isTolerant: round % 2 == 0) { pictures += 1 }
        }
        #expect(pictures > 100)
    }

    @Test("Unknown essential properties and unsupported structures are rejected")
    func refusals() throws {
        let pieces = try Self.pieces.get()
        let colour = try #require(pieces.first { $0.key.chroma == "420" }?.value)
        let unknown = HEIFWriter.box("zzzz", [1])
        var essential = HEIFWriter.single(colour, [unknown])
        #expect(try Self.reads(essential.bytes, isTolerant: false))
        essential.items[0].essential.insert("zzzz")
        var nested = HEIFWriter.overlay([(colour, 0, 0)], 64, 32)
        nested.items[1].type = "iovl"
        var turnedLayer = HEIFWriter.overlay([(colour, 0, 0)], 64, 32)
        turnedLayer.items[1].properties.append(HEIFWriter.turn(1))
        let crowded = HEIFWriter.overlay(Array(repeating: (colour, 0, 0), count: 17), 64, 32)
        var turnedTile = HEIFWriter.mosaic([colour], columns: 2, rows: 1, 64, 32)
        turnedTile.items[1].properties.append(HEIFWriter.turn(2))
        var turnedAlpha = HEIFWriter.single(colour)
        turnedAlpha.addAlpha(colour, [HEIFWriter.turn(2)])
        for writer in [essential, nested, turnedLayer, crowded, turnedTile, turnedAlpha] {
            #expect(try Self.fault(writer)?.code == .unsupported)
        }
        // Too few tiles, and sizes that differ from the items' and frames' sizes.
        let uncovered = HEIFWriter.mosaic([colour], columns: 2, rows: 1, 65, 32)
        var smaller = HEIFWriter.single(colour)
        smaller.items[0].properties[1] = HEIFWriter.size(30, 20)
        var missing = HEIFWriter.mosaic([colour], columns: 2, rows: 1, 64, 32)
        missing.references[0].to.removeLast()
        var resized = HEIFWriter.mosaic([colour], columns: 2, rows: 1, 64, 32)
        resized.items[0].properties = [HEIFWriter.size(64, 30)]
        for writer in [uncovered, smaller, missing, resized] {
            #expect(try Self.fault(writer)?.code == .corrupt)
        }
    }

    @Test("A cancelled decode stops, and faults repeat")
    func cancellation() throws {
        let bytes = try Self.sample()
        let file = try TemporaryBytes(bytes)
        let isCancelled = Atomic(false)
        let rows = try HEIFRows(
            in: file.openFile,
            scratch: ScratchSpace(folder: "/var/tmp", ceiling: 4 << 20), isTolerant: true,
            isCancelled: { isCancelled.load(ordering: .relaxed) })
        isCancelled.store(true, ordering: .relaxed)
        let row = UnsafeMutableRawBufferPointer.allocate(
            byteCount: rows.layout.rowBytes, alignment: 16)
        defer { row.deallocate() }
        var codes: [DecodingFault.Code] = []
        for _ in 0..<2 {
            do throws(DecodingFault) {
                for _ in 0..<rows.layout.height { try rows.readRow(into: row) }
            } catch {
                codes.append(error.code)
            }
            isCancelled.store(false, ordering: .relaxed)
        }
        #expect(codes == [.cancelled, .cancelled])
    }

    private static func fault(_ writer: HEIFWriter) throws -> DecodingFault? {
        let file = try TemporaryBytes(writer.bytes)
        do throws(DecodingFault) {
            _ = try HEIFRows(
                in: file.openFile,
                scratch: ScratchSpace(folder: "/var/tmp", ceiling: 4 << 20), isTolerant: false,
                isCancelled: { false })
            return nil
        } catch {
            return error
        }
    }
}
