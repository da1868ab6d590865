import AttachmentFormats
import AttachmentModel
import Foundation
import SampleMedia
import Synchronization
import Testing

/// Grids whose tiles two threads decode.
@Suite("Two tiles at once", .timeLimit(.minutes(1)))
struct TilePairTests {
    private static let colours = (0..<6).map {
        CodedPiece.Recipe(isAV1: true, height: 56, seed: $0)
    }
    private static let plain = (0..<6).map { CodedPiece.Recipe(seed: $0) }
    private static let planes = (0..<2).map {
        CodedPiece.Recipe(isAV1: true, height: 56, chroma: "mono", seed: $0 + 6)
    }
    private static let coded = Result { try CodedPiece.code(colours + plain + planes) }

    private static func pieces(_ recipes: [CodedPiece.Recipe]) throws -> [CodedPiece] {
        try recipes.map { try #require(try coded.get()[$0]) }
    }

    private struct Outcome: Equatable {
        var rows: [UInt8] = []
        var fault: DecodingFault?
    }

    private static func outcome(
        of writer: HEIFWriter, threads: Int, isTolerant: Bool = false, directBytes: Int = 8 << 20,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> Outcome {
        let file = try TemporaryBytes(writer.bytes)
        var outcome = Outcome()
        do throws(DecodingFault) {
            let picture = try HEIFRows(
                in: file.openFile,
                scratch: ScratchSpace(folder: NSTemporaryDirectory(), ceiling: 64 << 20),
                isTolerant: isTolerant, directBytes: directBytes, threads: threads,
                isCancelled: isCancelled)
            let row = UnsafeMutableRawBufferPointer.allocate(
                byteCount: picture.layout.rowBytes, alignment: 16)
            defer { row.deallocate() }
            for _ in 0..<picture.layout.height {
                try picture.readRow(into: row)
                outcome.rows += row
            }
        } catch {
            outcome.fault = error
        }
        return outcome
    }

    private static let orientations: [[[UInt8]]] = (UInt8(0)..<4).flatMap { quarters in
        let turn = quarters == 0 ? [] : [HEIFWriter.turn(quarters)]
        return [turn, turn + [HEIFWriter.mirror(1)]]
    }

    @Test("The rows are the same as of one thread", arguments: orientations)
    func rows(turned: [[UInt8]]) throws {
        let (av1, hevc) = (try Self.pieces(Self.colours), try Self.pieces(Self.plain))
        var withAlpha = HEIFWriter.mosaic(av1, columns: 2, rows: 2, 101, 91, turned)
        withAlpha.addMosaic(
            100, try Self.pieces(Self.planes), columns: 2, rows: 2, 101, 91,
            [HEIFWriter.alpha] + turned)
        withAlpha.linkAlpha(100)
        let writers = [
            HEIFWriter.mosaic(av1, columns: 3, rows: 3, 180, 150, turned),
            HEIFWriter.mosaic(hevc, columns: 3, rows: 3, 180, 150, turned), withAlpha,
            HEIFWriter.single(hevc[0], turned),
        ]
        for writer in writers {
            for directBytes in [8 << 20, 0] {
                let alone = try Self.outcome(of: writer, threads: 1, directBytes: directBytes)
                #expect(alone.fault == nil && !alone.rows.isEmpty)
                let pair = try Self.outcome(of: writer, threads: 2, directBytes: directBytes)
                #expect(pair == alone)
            }
        }
    }

    @Test("Alpha in tiles beside a single picture has one thread, as plans count")
    func alphaOfSinglePicture() throws {
        var writer = HEIFWriter.single(try Self.pieces([Self.colours[0]])[0])
        writer.addMosaic(
            100, try Self.pieces(Self.planes), columns: 8, rows: 1, 512, 56, [HEIFWriter.alpha])
        writer.linkAlpha(100)
        let threads = Mutex<Set<ObjectIdentifier>>([])
        let outcome = try Self.outcome(of: writer, threads: 2) {
            // Asked before each tile, by the thread that decodes it.
            threads.withLock { _ = $0.insert(ObjectIdentifier(Thread.current)) }
            return false
        }
        #expect(outcome.fault == nil && !outcome.rows.isEmpty)
        #expect(threads.withLock { $0.count } == 1)
    }

    @Test("Of several broken tiles, the first one's fault is the same as of one thread")
    func broken() throws {
        for recipes in [Self.colours, Self.plain] {
            let whole = HEIFWriter.mosaic(
                try Self.pieces(recipes), columns: 3, rows: 2, 180, 100)
            for first in 1...6 {
                var writer = whole
                // Tiles are items from the second on; the last bytes of a coded picture are missing.
                for tile in first...6 { writer.items[tile].bytes.removeLast(20 + tile) }
                for isTolerant in [false, true] {
                    let alone = try Self.outcome(of: writer, threads: 1, isTolerant: isTolerant)
                    for _ in 0..<5 {
                        let pair = try Self.outcome(
                            of: writer, threads: 2, isTolerant: isTolerant)
                        #expect(pair == alone)
                    }
                }
                let strict = try Self.outcome(of: writer, threads: 2)
                #expect(strict.fault != nil)
            }
        }
    }

    @Test("Cancellation between two tiles ends both threads")
    func cancelled() throws {
        let writer = HEIFWriter.mosaic(
            try Self.pieces(Self.colours), columns: 3, rows: 2, 180, 100)
        for limit in 1..<6 {
            let asked = Atomic(0)
            let outcome = try Self.outcome(of: writer, threads: 2) {
                asked.add(1, ordering: .relaxed).newValue > limit
            }
            #expect(outcome.fault?.code == .cancelled)
        }
    }
}
