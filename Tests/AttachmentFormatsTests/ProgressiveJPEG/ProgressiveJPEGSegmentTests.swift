import AttachmentFormats
import Foundation
import Testing

/// Segments between scans, and the segments of the stream.
@Suite("Segments of a progressive JPEG", .timeLimit(.minutes(3)))
struct ProgressiveJPEGSegmentTests {
    private let workshop: JPEGWorkshop

    init() throws {
        workshop = try JPEGWorkshop()
        try workshop.makePicture("picture", width: 75, height: 53, bands: 3)
        try workshop.write(Array("0; 1; 2;".utf8), to: "sequential")
        try workshop.shell([
            "cjpeg -progressive -sample 2x2 -outfile plain.jpg picture",
            "cjpeg -progressive -sample 2x2 -restart 3B -outfile restarts.jpg picture",
            "cjpeg -scans sequential -sample 2x1 -outfile sequential.jpg picture",
            "cjpeg -quality 2 -progressive -outfile coarse.jpg picture",
            "cjpeg -arithmetic -outfile arithmetic.jpg picture",
        ])
    }

    private func pieces(_ name: String) throws -> JPEGPieces { JPEGPieces(try workshop.read(name)) }

    /// True if libjpeg-turbo decodes the stream like the file.
    private func isExact(_ bytes: [UInt8], isTolerant: Bool = false) throws -> Bool {
        try workshop.write(bytes, to: "file.jpg")
        let pairs = [1, 2, 4, 8].map { ("file.jpg", "stream-\($0).jpg", $0) }
        for (_, stream, divisor) in pairs {
            let output = try transcode(bytes, loadShrink: divisor, isTolerant: isTolerant)
            try workshop.write(output, to: stream)
        }
        let (lines, compared) = try workshop.differences(pairs)
        return lines.isEmpty && compared == pairs.count
    }

    @Test("Restart intervals may change between scans")
    func restartIntervals() throws {
        let (plain, restarts) = (try pieces("plain.jpg"), try pieces("restarts.jpg"))
        #expect(plain.scans.count == restarts.scans.count)
        var mixed = plain
        mixed.pieces.removeSubrange(plain.scans[0].lowerBound...)
        for (number, pair) in zip(plain.scans, restarts.scans).enumerated() {
            let interval: UInt8 = number % 2 == 0 ? 0 : 3
            mixed.pieces.append(JPEGPieces.Piece(marker: 0xDD, body: [0, interval]))
            mixed.pieces +=
                (interval == 0 ? plain.pieces[pair.0] : restarts.pieces[pair.1])
                .filter { $0.marker != 0xDD }
        }
        mixed.pieces.append(JPEGPieces.Piece(marker: 0xD9, body: []))
        #expect(try isExact(mixed.bytes))
        #expect(try transcode(mixed.bytes) == transcode(plain.bytes))
        #expect(JPEGPieces(try transcode(mixed.bytes)).all(0xDD).isEmpty)
    }

    @Test("A component keeps the quantisation table of its first scan")
    func quantisation() throws {
        for (name, scan) in [("plain.jpg", 1), ("sequential.jpg", 1), ("sequential.jpg", 2)] {
            var changed = try pieces(name)
            for table in UInt8(0)...1 {
                let body = [table] + (1...64).map { UInt8($0) }
                changed.pieces.insert(
                    JPEGPieces.Piece(marker: 0xDB, body: body),
                    at: changed.scans[scan].lowerBound)
            }
            #expect(try isExact(changed.bytes))
        }
    }

    @Test("Two-byte divisors produce an extended sequential frame")
    func wideQuantisation() throws {
        let coarse = try workshop.read("coarse.jpg")
        #expect(JPEGPieces(coarse).all(0xDB).contains { $0.body[0] >> 4 == 1 })
        let stream = JPEGPieces(try transcode(coarse))
        #expect(stream.all(0xC1).count == 1)
        #expect(stream.all(0xDB).contains { $0.body[0] >> 4 == 1 })
        #expect(try isExact(coarse))
    }

    @Test("Tables that Motion JPEG omits are the typical ones")
    func standardTables() throws {
        var bare = try pieces("sequential.jpg")
        bare.pieces.removeAll { $0.marker == 0xC4 }
        #expect(try isExact(bare.bytes))
        #expect(try transcode(bare.bytes) == transcode(workshop.read("sequential.jpg")))
        var progressive = try pieces("plain.jpg")
        progressive.pieces.removeAll { $0.marker == 0xC4 }
        let fault = #expect(throws: DecodingFault.self) { try transcode(progressive.bytes) }
        #expect(fault?.code == .corrupt)
    }

    @Test("Fill bytes and stray bytes before markers are harmless")
    func strayBytes() throws {
        let plain = try pieces("plain.jpg")
        let strays: [[UInt8]] = [[0xFF], [0xFF, 0xFF, 0xFF], [0], [1, 2, 3, 0xFF, 0, 4]]
        for stray in strays {
            var bytes = plain.pieces[0].bytes
            for piece in plain.pieces.dropFirst() { bytes += stray + piece.bytes }
            #expect(try transcode(bytes) == transcode(plain.bytes))
        }
    }

    @Test("Only segments that affect colour, before the first scan, are copied")
    func applications() throws {
        var marked = try pieces("plain.jpg")
        let long = (0..<65533).map { UInt8(truncatingIfNeeded: $0) }
        let colours = [(0xE2, Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + long.dropLast(14))]
        let others = [
            (0xE1, Array("Exif\0\0".utf8)), (0xE2, long), (0xEF, []), (0xFE, [0xFF, 0xD8]),
        ]
        let segments = { (list: [(Int, [UInt8])]) in
            list.map { JPEGPieces.Piece(marker: UInt8($0.0), body: $0.1) }
        }
        marked.pieces.insert(contentsOf: segments(others + colours + others), at: 2)
        marked.pieces.insert(
            JPEGPieces.Piece(marker: 0xEE, body: Array("Adobe\0d\0\0\0\0\0".utf8)),
            at: marked.scans[3].lowerBound)
        marked.pieces.insert(
            JPEGPieces.Piece(marker: 0xE0, body: Array("JFXX\0".utf8)),
            at: marked.scans[0].lowerBound)
        let stream = JPEGPieces(try transcode(marked.bytes))
        let copied = stream.pieces.filter { $0.marker >= 0xE0 }
        #expect(copied.filter { $0.marker == 0xE2 } == segments(colours))
        #expect(copied.allSatisfy { $0.marker == 0xE2 || $0.body.starts(with: "JFIF\0".utf8) })
        #expect(stream.all(0xDA).count == 1)
        #expect(try isExact(marked.bytes))
    }

    @Test("The stream does not depend on the read size")
    func chunks() throws {
        let bytes = try workshop.read("restarts.jpg")
        let whole = try transcode(bytes, chunk: 1 << 20)
        for chunk in [1, 7, 4096] { #expect(try transcode(bytes, chunk: chunk) == whole) }
    }

    @Test("Other kinds of JPEG are refused with the right code")
    func refusals() throws {
        let plain = try workshop.read("plain.jpg")
        let frame = try #require(JPEGPieces(plain).pieces.firstIndex { $0.marker == 0xC2 })
        func refusal(_ bytes: [UInt8]) -> DecodingFault.Code? {
            let fault = #expect(throws: DecodingFault.self) {
                try transcode(bytes, isTolerant: true)
            }
            return fault?.code
        }
        func changed(_ change: (inout JPEGPieces.Piece) -> Void) -> [UInt8] {
            var pieces = JPEGPieces(plain)
            change(&pieces.pieces[frame])
            return pieces.bytes
        }
        #expect(refusal(try workshop.read("arithmetic.jpg")) == .unsupported)
        #expect(refusal(changed { $0.marker = 0xC3 }) == .unsupported)
        #expect(refusal(changed { $0.marker = 0xC6 }) == .unsupported)
        #expect(refusal(changed { $0.body[0] = 12 }) == .unsupported)
        #expect(refusal(changed { $0.body.replaceSubrange(1...2, with: [0, 0]) }) == .unsupported)
        #expect(refusal(changed { $0.body.replaceSubrange(3...4, with: [0, 0]) }) == .corrupt)
        #expect(
            refusal(changed { $0.body.replaceSubrange(3...4, with: [255, 255]) }) == .limit)
        #expect(refusal(changed { $0.body[7] = 0x44 }) == .unsupported)
        #expect(refusal(changed { $0.body[7] = 0x50 }) == .corrupt)
        #expect(refusal(changed { $0.body[9] = $0.body[6] }) == .corrupt)
        #expect(refusal([]) == .corrupt)
        #expect(refusal([0xFF, 0xD8, 0xFF, 0xD9]) == .corrupt)
    }

    @Test("Too many scans are left to a library before any is read")
    func scanCeiling() throws {
        var many = try pieces("plain.jpg")
        let last = try #require(many.scans.last)
        let group = many.pieces[last]
        for _ in 0..<100 - many.scans.count {
            many.pieces.insert(contentsOf: group, at: last.lowerBound)
        }
        #expect(!(try transcode(many.bytes, isTolerant: true)).isEmpty)
        many.pieces.insert(contentsOf: group, at: last.lowerBound)
        let fault = #expect(throws: DecodingFault.self) {
            try transcode(many.bytes, isTolerant: true)
        }
        #expect(fault?.code == .unsupported)
    }
}
