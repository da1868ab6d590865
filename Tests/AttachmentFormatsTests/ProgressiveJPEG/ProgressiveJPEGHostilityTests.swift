@testable import AttachmentFormats
import Foundation
import Testing

/// Hostile files are a fault or an image, in bounded time and memory.
@Suite("Hostile progressive JPEG", .timeLimit(.minutes(3)))
struct ProgressiveJPEGHostilityTests {
    private let workshop: JPEGWorkshop
    private let small: [UInt8]

    init() throws {
        workshop = try JPEGWorkshop()
        try workshop.makePicture("picture", width: 17, height: 11, bands: 3)
        try workshop.shell([
            "cjpeg -quality 30 -progressive -restart 1B -outfile small.jpg picture"
        ])
        small = try workshop.read("small.jpg")
    }

    /// Reads a file in both modes and checks that any output has a start and an end.
    ///
    /// Returns true for each mode that gives an image.
    @discardableResult
    private func read(_ bytes: [UInt8]) throws -> (tolerantly: Bool, strictly: Bool) {
        func reads(tolerantly: Bool) throws -> Bool {
            do {
                let stream = try transcode(
                    bytes, loadShrink: tolerantly ? 1 : 8, isTolerant: tolerantly, chunk: 1 << 16)
                #expect(stream.starts(with: [0xFF, 0xD8]) && stream.suffix(2) == [0xFF, 0xD9])
                return true
            } catch let fault as DecodingFault {
                #expect((0...bytes.count + 70000).contains(fault.offset))
                return false
            }
        }
        return (try reads(tolerantly: true), try reads(tolerantly: false))
    }

    @Test("Any byte may be wrong")
    func flips() throws {
        var pictures = 0
        for place in small.indices {
            // Sides of tens of thousands of pixels are slow in debug builds.
            guard !isSide(place) else { continue }
            var bytes = small
            bytes[place] ^= [0x01, 0x80, 0xFF, 0x10][place % 4]
            if try read(bytes).tolerantly { pictures += 1 }
        }
        #expect(pictures > small.count / 3)
    }

    private func isSide(_ place: Int) -> Bool {
        let frame = small.indices.first { small[$0] == 0xFF && small[$0 + 1] == 0xC2 } ?? 0
        return (frame + 5..<frame + 9).contains(place)
    }

    @Test("Any segment length may be wrong")
    func lengths() throws {
        var place = 2
        for piece in JPEGPieces(small).pieces where !piece.isAlone {
            for length in [0, 1, 2, 3, piece.body.count + 1, piece.body.count + 3, 0xFFFF] {
                var bytes = small
                bytes[place + 2] = UInt8(length >> 8)
                bytes[place + 3] = UInt8(length & 255)
                try read(bytes)
            }
            place += piece.bytes.count
        }
        #expect(place == small.count - 2)
    }

    /// Decoding the whole image would exceed the suite's time limit many times over.
    @Test("The largest image with the most scans, all empty, gives its first rows before the rest")
    func bomb() throws {
        var pieces = JPEGPieces(small)
        let frame = try #require(pieces.pieces.firstIndex { $0.marker == 0xC2 })
        pieces.pieces[frame].body.replaceSubrange(1...4, with: [0xFF, 0xDC, 0xFF, 0xDC])
        for scan in pieces.scans.map(\.upperBound) { pieces.pieces[scan - 1].data = [0] }
        let last = try #require(pieces.scans.last)
        let group = pieces.pieces[last]
        for _ in 0..<100 - pieces.scans.count {
            pieces.pieces.insert(contentsOf: group, at: last.lowerBound)
        }
        let file = try TemporaryBytes(pieces.bytes)
        let stream = try ProgressiveJPEGStream(
            file.openFile, loadShrink: 1,
            isTolerant: true)
        var buffer = [UInt8](repeating: 0, count: 4096)
        for _ in 0..<8 {
            #expect(try buffer.withUnsafeMutableBytes { try stream.read(into: $0) } > 0)
        }
    }

    @Test("Coefficients out of range are transcoded unchanged")
    func extremeCoefficients() throws {
        var pieces = JPEGPieces([0xFF, 0xD8])
        pieces.pieces.append(
            JPEGPieces.Piece(marker: 0xDB, body: [0] + Array(repeating: 1, count: 64)))
        pieces.pieces.append(
            JPEGPieces.Piece(marker: 0xC1, body: [8, 0, 8, 0, 72, 1, 1, 0x22, 0]))
        for (name, table) in [(UInt8(0x00), 0), (0x10, 2)] {
            let table = JPEGBlockEncoder.specifications[table]
            pieces.pieces.append(
                JPEGPieces.Piece(marker: 0xC4, body: [name] + table.counts + table.symbols))
        }
        // DC differences inside 16 bits, beyond them and back; AC of all categories.
        let differences = [2047, -4095, 8191, -16383, 32767, 32767, -32767, -32767, 1]
        var data = [UInt8](repeating: 0, count: 8192)
        let count = data.withUnsafeMutableBufferPointer { memory -> Int in
            guard let start = memory.baseAddress else { return 0 }
            var writer = JPEGBitWriter(to: start)
            for difference in differences {
                append(difference, after: 0, table: 0, to: &writer)
                for category in 1...15 {
                    append((1 << category) - 1, after: category % 4, table: 2, to: &writer)
                    append(-(1 << category) + 1, after: 0, table: 2, to: &writer)
                }
                appendSymbol(0, table: 2, to: &writer)
            }
            writer.finish()
            return writer.next - start
        }
        pieces.pieces.append(
            JPEGPieces.Piece(
                marker: 0xDA, body: [1, 1, 0, 0, 63, 0], data: Array(data[..<count])))
        pieces.pieces.append(JPEGPieces.Piece(marker: 0xD9, body: []))
        try workshop.write(pieces.bytes, to: "file.jpg")
        let stream = try transcode(pieces.bytes)
        try workshop.write(stream, to: "stream.jpg")
        #expect(JPEGPieces(stream).all(0xDA).first?.data.count == count)
        for divisor in [1, 2, 4, 8] {
            #expect(
                try workshop.differences([("file.jpg", "stream.jpg", divisor)]) == ([], 1))
        }
    }

    private func append(
        _ value: Int, after run: Int, table: Int, to writer: inout JPEGBitWriter
    ) {
        let category = Int.bitWidth - abs(value).leadingZeroBitCount
        appendSymbol(run << 4 | category, table: table, to: &writer)
        let bits = value < 0 ? value - 1 : value
        writer.append(UInt32(bits & ((1 << category) - 1)), category)
    }

    private func appendSymbol(_ symbol: Int, table: Int, to writer: inout JPEGBitWriter) {
        let specification = JPEGBlockEncoder.specifications[table]
        _ = specification.forEachCode { code, length, place in
            if specification.symbols[place] == symbol { writer.append(UInt32(code), length) }
        }
    }

    @Test("The stream's tables have a code for every symbol, and no all-ones code")
    func tables() {
        for (number, table) in JPEGBlockEncoder.specifications.enumerated() {
            let symbols = Set(table.symbols)
            #expect(symbols.count == table.symbols.count)
            #expect(table.counts.reduce(0) { $0 + Int($1) } == table.symbols.count)
            let categories = number < 2 ? Set(UInt8(0)...15) : Set(UInt8(0)...255)
            // Of AC symbols with category 0, only EOB and ZRL are valid in a sequential scan.
            let meaningless = number < 2 ? [] : Set((1...14).map { UInt8($0 << 4) })
            #expect(symbols == categories.subtracting(meaningless))
            #expect(table.forEachCode { _, _, _ in })
        }
    }
}
