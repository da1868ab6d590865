import AttachmentFormats
import Foundation
import Randomness
import Testing

/// Damaged files are a fault in strict mode, and match libjpeg in tolerant mode.
@Suite("Damaged progressive JPEG", .timeLimit(.minutes(3)))
struct ProgressiveJPEGDamageTests {
    private let workshop: JPEGWorkshop
    private static let names = ["plain.jpg", "restarts.jpg", "sequential.jpg"]

    init() throws {
        workshop = try JPEGWorkshop()
        try workshop.makePicture("picture", width: 29, height: 21, bands: 3)
        try workshop.write(Array("0; 1,2;".utf8), to: "sequential")
        try workshop.shell([
            "cjpeg -quality 40 -progressive -outfile plain.jpg picture",
            "cjpeg -quality 40 -progressive -restart 2B -outfile restarts.jpg picture",
            "cjpeg -quality 40 -scans sequential -restart 5B -outfile sequential.jpg picture",
        ])
    }

    /// Compares coefficients by letting `jpegtran` encode both the file and the stream.
    ///
    /// `jpegtran` does not smooth between blocks. Files that it rejects are skipped.
    private func compare(_ damaged: [[UInt8]]) throws -> (compared: Int, different: [Int]) {
        var commands: [String] = []
        for (number, bytes) in damaged.enumerated() {
            guard let stream = try? transcode(bytes, isTolerant: true) else { continue }
            try workshop.write(bytes, to: "\(number).jpg")
            try workshop.write(stream, to: "\(number).stream")
            for kind in ["jpg", "stream"] {
                commands.append(
                    "jpegtran -outfile \(number).\(kind).out \(number).\(kind);"
                        + " [ $? = 1 ] && rm -f \(number).\(kind).out")
            }
        }
        try workshop.shell(commands)
        var compared = 0
        var different: [Int] = []
        for number in damaged.indices {
            guard let expected = try? workshop.read("\(number).jpg.out"), !expected.isEmpty else {
                continue
            }
            compared += 1
            if try workshop.read("\(number).stream.out") != expected { different.append(number) }
        }
        return (compared, different)
    }

    /// Changes bytes of scan data reproducibly.
    private func flipped(_ bytes: [UInt8], seed: UInt64) -> [UInt8] {
        var pieces = JPEGPieces(bytes)
        var random = SplitMix64(seed: seed)
        let scans = pieces.pieces.indices.filter { pieces.pieces[$0].data.count > 2 }
        for _ in 0...random.below(3) {
            let scan = scans[random.below(scans.count)]
            let place = random.below(pieces.pieces[scan].data.count - 1)
            switch random.below(4) {
            case 0: pieces.pieces[scan].data.remove(at: place)
            case 1:
                pieces.pieces[scan].data[place] = 0xFF
                pieces.pieces[scan].data[place + 1] = 0xD0 + UInt8(random.below(8))
            default: pieces.pieces[scan].data[place] ^= 1 << UInt8(random.below(8))
            }
        }
        return pieces.bytes
    }

    @Test("Damaged scans give libjpeg's coefficients", arguments: names)
    func damagedScans(name: String) throws {
        let bytes = try workshop.read(name)
        let (compared, different) = try compare((0..<80).map { flipped(bytes, seed: $0) })
        #expect(different == [])
        #expect(compared > 65)
    }

    @Test("A truncated file gives libjpeg's coefficients", arguments: names)
    func truncatedTolerantly(name: String) throws {
        // Truncated inside a scan; for a truncated header, libjpeg substitutes an end of image.
        let pieces = try JPEGPieces(workshop.read(name)).pieces
        var cut: [[UInt8]] = []
        for (index, piece) in pieces.enumerated() where piece.marker == 0xDA {
            let before = pieces[..<index].flatMap(\.bytes)
            for removed in stride(from: 0, through: piece.data.count, by: 4) {
                cut.append(before + piece.bytes.dropLast(removed))
            }
        }
        let (compared, different) = try compare(cut)
        #expect(different == [])
        #expect(compared == cut.count && compared > 25)
    }

    @Test(
        "Truncation at any byte before the last block is a fault in strict mode", arguments: names)
    func truncatedStrictly(name: String) throws {
        let bytes = try workshop.read(name)
        let whole = try transcode(bytes)
        for length in 0..<bytes.count {
            do {
                // The end marker, and bits that fill the last byte.
                let cut = try transcode(Array(bytes[..<length]))
                #expect(cut == whole)
                #expect(length > bytes.count - 8)
            } catch let error as DecodingFault {
                #expect(error.code == .truncated || length < 4)
            }
            // Tolerant mode gives an image or a fault.
            if let stream = try? transcode(Array(bytes[..<length]), isTolerant: true) {
                #expect(stream.starts(with: [0xFF, 0xD8]) && stream.suffix(2) == [0xFF, 0xD9])
            }
        }
    }

    @Test("Restart markers with wrong numbers lose no block; missing and doubled ones are a fault")
    func restartMarkers() throws {
        let pieces = try JPEGPieces(workshop.read("restarts.jpg"))
        let scan = try #require(pieces.pieces.firstIndex { $0.marker == 0xDA })
        let data = pieces.pieces[scan].data
        let place = try #require(
            data.indices.first { data[$0] == 0xFF && 0xD0...0xD7 ~= data[$0 + 1] })
        var damaged: [[UInt8]] = []
        var harmless = 0
        for replacement: [UInt8] in [
            [], [0xFF, 0xD1], [0xFF, 0xD7], [0xFF, 0xD4], [0xFF, 0xD0, 0xFF, 0xD0],
            [0x12, 0x34, 0xFF, 0xD0], [0xFF, 0x05], [0xFF, 0xD0, 0xFF, 0xD2],
        ] {
            var changed = pieces
            changed.pieces[scan].data.replaceSubrange(place..<place + 2, with: replacement)
            damaged.append(changed.bytes)
            do {
                let strict = try transcode(changed.bytes)
                #expect(try strict == transcode(pieces.bytes))
                harmless += 1
            } catch let error as DecodingFault {
                #expect([.corrupt, .truncated].contains(error.code))
            }
        }
        #expect((3..<damaged.count).contains(harmless))
        let (compared, different) = try compare(damaged)
        #expect(different == [])
        #expect(compared == damaged.count)
    }

    @Test("A failed stream throws again")
    func failsAgain() throws {
        var pieces = try JPEGPieces(workshop.read("plain.jpg"))
        let last = try #require(pieces.pieces.lastIndex { $0.marker == 0xDA })
        pieces.pieces[last].data.removeLast(8)
        let bytes = pieces.bytes
        let file = try TemporaryBytes(bytes)
        let stream = try ProgressiveJPEGStream(
            file.openFile, loadShrink: 1, isTolerant: false)
        let first = #expect(throws: DecodingFault.self) { try readAll(stream) }
        let second = #expect(throws: DecodingFault.self) { try readAll(stream) }
        #expect(first == second)
    }

    @Test("Scans that do not continue earlier ones are a fault in strict mode")
    func progression() throws {
        var pieces = try JPEGPieces(workshop.read("plain.jpg"))
        pieces.pieces.removeSubrange(pieces.scans[4])
        #expect(throws: DecodingFault.self) { try transcode(pieces.bytes) }
        let (compared, different) = try compare([pieces.bytes])
        #expect(compared == 1 && different == [])
    }

    @Test("A component without a scan stays grey, and is a fault in strict mode")
    func missingComponent() throws {
        var pieces = try JPEGPieces(workshop.read("sequential.jpg"))
        pieces.pieces.removeSubrange(pieces.scans[1])
        let fault = #expect(throws: DecodingFault.self) { try transcode(pieces.bytes) }
        #expect(fault?.code == .corrupt)
        try workshop.write(pieces.bytes, to: "file.jpg")
        try workshop.write(transcode(pieces.bytes, isTolerant: true), to: "stream.jpg")
        #expect(try workshop.differences([("file.jpg", "stream.jpg", 1)]) == ([], 1))
    }

    @Test("A file that shrinks while open ends early, without a signal")
    func shortened() throws {
        let bytes = try workshop.read("plain.jpg")
        let file = try TemporaryBytes(bytes)
        let stream = try ProgressiveJPEGStream(
            file.openFile, loadShrink: 1, isTolerant: false)
        ftruncate(file.descriptor, off_t(bytes.count / 2))
        let fault = #expect(throws: DecodingFault.self) { try readAll(stream) }
        #expect(fault?.code == .truncated)
    }
}
