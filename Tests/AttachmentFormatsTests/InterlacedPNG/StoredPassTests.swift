@testable import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@Suite("Stored passes of interlaced PNG", .timeLimit(.minutes(1)))
struct StoredPassTests {
    /// Room for the passes: none, enough, and too little.
    enum Room: CaseIterable {
        case none, enough, short

        var scratch: ScratchSpace? {
            switch self {
            case .none: nil
            case .enough: ScratchSpace(folder: "/var/tmp", ceiling: 64 << 20)
            case .short: ScratchSpace(folder: "/var/tmp", ceiling: 1000)
            }
        }
    }

    @Test("Rows are the same with and without room for the passes", arguments: Room.allCases)
    func room(_ room: Room) throws {
        for kind in InterlacedSample.Kind.all {
            for size in [(1, 1), (3, 5), (67, 41), (200, 300)] {
                var sample = InterlacedSample()
                (sample.kind, sample.width, sample.height) = (kind, size.0, size.1)
                let found = try rows(of: sample.file, in: room.scratch, isTolerant: false)
                // Bits after the last pixel are not defined.
                let expected =
                    kind.bitsPerPixel < 8
                    ? try rows(of: sample.file, in: nil, isTolerant: false) : sample.rows
                #expect(found == expected, "\(sample.testDescription)")
            }
        }
    }

    @Test("A file cut anywhere has the same rows with room for the passes")
    func truncation() throws {
        var sample = InterlacedSample()
        (sample.width, sample.height) = (37, 29)
        let file = sample.file
        for length in stride(from: 60, to: file.count, by: 37) {
            let cut = Array(file.prefix(length))
            let one = try rows(of: cut, in: Room.none.scratch, isTolerant: true)
            let other = try rows(of: cut, in: Room.enough.scratch, isTolerant: true)
            #expect(one == other, "cut at \(length)")
            #expect(throws: DecodingFault.self) {
                try rows(of: cut, in: Room.enough.scratch, isTolerant: false)
            }
        }
    }

    private func rows(
        of bytes: [UInt8], in scratch: ScratchSpace?, isTolerant: Bool
    ) throws -> [[UInt8]] {
        let file = try TemporaryBytes(bytes)
        return try withExtendedLifetime(file) {
            var walk = ChunkWalk(file.openFile, isTolerant: isTolerant)
            let (header, _) = try walk.readImageHeader()
            var length: Int?
            while length == nil {
                switch try walk.next() {
                case .chunk(let chunk, _): walk.seek(to: walk.offset + chunk.length + 4)
                case .imageData(let count): length = count
                case .imageEnd: return []
                }
            }
            let inflater = try ImageDataInflater(
                .init(file: file.openFile, isTolerant: isTolerant), at: walk.offset,
                chunkLength: length ?? 0)
            let scan = PassScan(header, inflater: inflater, scratch: scratch)
            while try !scan.advance() {}
            let merged = MergedRows(header, passes: scan.rows(isTolerant: isTolerant))
            return try (0..<header.height).map { _ in
                let row = try merged.nextRow()
                return Array(UnsafeBufferPointer(start: row, count: header.rowBytes(header.width)))
            }
        }
    }
}
