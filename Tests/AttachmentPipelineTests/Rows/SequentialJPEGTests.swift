import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import Testing

@testable import AttachmentPipeline

/// Our decoder of Huffman codes, whose coefficients libjpeg transforms, against the same library's `djpeg`.
@Suite("Sequential JPEG", .timeLimit(.minutes(5)))
struct SequentialJPEGTests {
    /// Tables, and distances between restart markers.
    static let options: [[String]] = [
        ["-quality", "30"], ["-quality", "75", "-optimize"], ["-quality", "100"],
        ["-quality", "100", "-optimize", "-restart", "1B"], ["-quality", "85", "-restart", "1"],
        ["-quality", "60", "-sample", "1x1", "-restart", "7B"], ["-quality", "5", "-optimize"],
        ["-quality", "90", "-sample", "4x1"],
        ["-quality", "90", "-sample", "1x2", "-restart", "2"],
    ]

    @Test("Luma is what libjpeg decodes, at every scale", arguments: options, [1, 2, 4, 8])
    func intact(options: [String], shrink: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let bytes = try fixture.sequential(options)
            try #expect(fixture.luma(bytes, shrink) == fixture.djpeg(bytes, shrink))
        }
    }

    /// Flipped bits, lost, added and foreign bytes, and missing ends.
    @Test("Damaged luma is what libjpeg makes of it", arguments: options)
    func damaged(options: [String]) async throws {
        try await ProcessorFixture.with { fixture in
            let intact = try fixture.sequential(options)
            var random = SplitMix64(seed: 42)
            var compared = 0
            for number in 0..<40 {
                let bytes = intact.damagedScan(number, &random)
                guard let expected = try fixture.djpeg(bytes, 1) else { continue }
                let luma = try fixture.luma(bytes, 1)
                #expect(luma == expected, "damage \(number) of \(options)")
                compared += 1
            }
            #expect(compared > 30)
        }
    }

    @Test("A code that the table lacks is damage wherever it stands", arguments: 0..<12)
    func unknownCode(part: Int) async throws {
        try await ProcessorFixture.with { fixture in
            // The last code of the standard tables has 16 bits, of which the last is 0. The data has no
            // other byte of 0xFF, so that these are 16 ones or more.
            var bytes = try fixture.sequential(["-quality", "40"])
            let place = bytes.startOfScan + (bytes.count - bytes.startOfScan) * part / 12
            bytes.replaceSubrange(place..<place, with: [0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0])
            try bytes.write(to: fixture.url("in.jpg"))
            let picture = try RestartPicture(fixture.url("in.jpg").path)
            #expect(picture.outcome(1).outcome.fault?.code == .corrupt)
        }
    }

    @Test("Stray bytes before the end of the picture are noted, however few", arguments: 1...12)
    func strayBytes(count: Int) async throws {
        try await ProcessorFixture.with { fixture in
            var bytes = try fixture.sequential(["-quality", "75"])
            let whole = try fixture.luma(bytes, 1)
            bytes.insert(contentsOf: repeatElement(0x5A, count: count), at: bytes.count - 2)
            try bytes.write(to: fixture.url("in.jpg"))
            let result = try RestartPicture(fixture.url("in.jpg").path).outcome(1)
            #expect(result.notes == ["stray bytes were skipped"])
            #expect(result.outcome.fault == nil && result.outcome.rows[0] == whole)
        }
    }
}

extension ProcessorFixture {
    fileprivate static let side = 150

    /// A picture of `side` pixels with strong detail, as `cjpeg` writes it.
    fileprivate func sequential(_ options: [String]) throws -> Data {
        var random = SplitMix64(seed: 7)
        var pixels = Data("P6 \(Self.side) \(Self.side) 255\n".utf8)
        for y in 0..<Self.side {
            for x in 0..<Self.side {
                let noise = random.below(1 + (x + y) / 2)
                pixels += [UInt8((x * y / 90 + noise) & 255), UInt8(x), UInt8(min(255, y + noise))]
            }
        }
        try pixels.write(to: url("pixels.ppm"))
        #expect(
            try run("cjpeg", options + ["-outfile", url("made.jpg").path, url("pixels.ppm").path]))
        return try Data(contentsOf: url("made.jpg"))
    }

    /// The samples of luma that a tolerant reader of ours gives, without a fault.
    fileprivate func luma(_ bytes: Data, _ shrink: Int) throws -> [UInt8]? {
        try bytes.write(to: url("in.jpg"))
        let file = try AttachmentFile(path: url("in.jpg").path)
        let reader = try JPEGPlaneRows(
            ByteStream(file), loadShrink: shrink, keepsProfile: false, .tolerant)
        let outcome = RowOutcome(of: reader)
        return outcome.fault == nil ? outcome.rows[0] : nil
    }

    /// The same samples by `djpeg`, which leaves out colours for a grey picture; nil if it refuses a marker
    /// after the scan.
    fileprivate func djpeg(_ bytes: Data, _ shrink: Int) throws -> [UInt8]? {
        try bytes.write(to: url("in.jpg"))
        let isRead = try run(
            "djpeg",
            ["-grayscale", "-scale", "1/\(shrink)", "-outfile", url("out.pgm").path]
                + [url("in.jpg").path])
        guard isRead else { return nil }
        let picture = try Data(contentsOf: url("out.pgm"))
        let side = (Self.side + shrink - 1) / shrink
        return Array(picture.suffix(side * side))
    }

    /// Runs a program of libjpeg-turbo, which exits with 2 after a warning; false after an error.
    private func run(_ program: String, _ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/\(program)")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return [0, 2].contains(process.terminationStatus)
    }
}

extension Data {
    /// The first byte after the header of the first scan.
    fileprivate var startOfScan: Int {
        guard let marker = firstRange(of: [0xFF, 0xDA]) else { return count }
        return marker.upperBound + Int(self[marker.upperBound + 1])
    }

    fileprivate func damagedScan(_ number: Int, _ random: inout SplitMix64) -> Data {
        var bytes = self
        let start = startOfScan
        for _ in 0...random.below(3) {
            let place = start + random.below(bytes.count - start - 40)
            switch random.below(6) {
            case 0, 1: bytes[place] ^= 1 << UInt8(random.below(8))
            case 2: bytes[place] = UInt8(random.below(256))
            case 3: bytes.removeSubrange(place..<place + 1 + random.below(30))
            case 4:
                let extra = (0...random.below(20)).map { _ in UInt8(random.below(256)) }
                bytes.insert(contentsOf: extra, at: place)
            default:
                bytes.insert(contentsOf: [0xFF, 0xD0 + UInt8(random.below(8))], at: place)
            }
        }
        return number % 5 == 0 ? bytes.prefix(start + random.below(bytes.count - start)) : bytes
    }
}
