import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import SampleMedia
import Testing

@testable import AttachmentPipeline

/// Groups between the restart markers of a JPEG, by two decoders.
@Suite("Rows of two decoders", .timeLimit(.minutes(5)))
struct GroupRowsTests {
    /// 63 units across and 42 rows of them with chroma halved both ways.
    private static let size = PixelSize(width: 1001, height: 667)

    @Test(
        "Two decoders give the rows of one, whatever the sampling and the scale",
        arguments: ["1x1", "2x1", "1x2", "2x2", "4x2", "grey"], ["1", "3", "1B", "9B", "28B"])
    func rows(sampling: String, restart: String) async throws {
        try await ProcessorFixture.with { fixture in
            let isGrey = sampling == "grey"
            let each = JPEGCase(
                size: Self.size, sampling: isGrey ? "1x1" : sampling, isGrey: isGrey,
                restart: restart)
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            let picture = try RestartPicture(fixture.url("in.jpg").path)
            for shrink in [1, 2, 4, 8] {
                let one = picture.outcome(shrink)
                #expect(one.outcome.fault == nil && one.outcome.rows.count == (isGrey ? 1 : 3))
                #expect(picture.outcome(shrink, byTwo: true) == one)
                #expect(picture.isShared)
            }
        }
    }

    @Test(
        "Pictures of every height and width near whole units",
        arguments: [1, 7, 8, 9, 15, 16, 17, 33], [49, 64, 65, 80, 81])
    func sizes(width: Int, height: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let each = JPEGCase(size: PixelSize(width: width, height: height), restart: "1")
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            let picture = try RestartPicture(fixture.url("in.jpg").path)
            for shrink in [1, 8] {
                let one = picture.outcome(shrink)
                #expect(picture.outcome(shrink, byTwo: true) == one)
                #expect(picture.isShared)
            }
        }
    }

    @Test(
        "One decoder reads pictures without groups",
        arguments: [nil, "41", "64B", "progressive"])
    func unfit(restart: String?) async throws {
        try await ProcessorFixture.with { fixture in
            var each = JPEGCase(size: Self.size, restart: restart)
            // Rows of 63 units: 64 of them are the first group of whole rows between markers of "64B".
            if restart == "progressive" { (each.restart, each.isProgressive) = ("1", true) }
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            #expect(try !RestartPicture(fixture.url("in.jpg").path).isShared)
        }
    }

    /// Faults of structure, each with the reason why the markers are not to be relied on.
    @Test(
        "One decoder judges files whose markers are not exactly right",
        arguments: Structure.allCases)
    func structure(fault: Structure) async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try fixture.changed { bytes, markers in
                switch fault {
                case .missing: bytes.removeSubrange(markers[9]..<markers[9] + 2)
                case .order: bytes[markers[9] + 1] = 0xD0
                case .late: bytes.removeLast(2)
                case .other: bytes.insert(contentsOf: [0xFF, 0xDC, 0, 4, 0, 80], at: markers[9])
                case .lines:
                    bytes.insert(contentsOf: [0xFF, 0xDC, 0, 4, 0, 80], at: bytes.count - 2)
                case .interval:
                    let place = try #require(bytes.range(of: Data([0xFF, 0xDD])))
                    bytes[place.upperBound + 3] -= 1
                case .more: bytes.insert(contentsOf: [0xFF, 0xD0], at: bytes.count - 2)
                case .scan:
                    let place = try #require(bytes.range(of: Data([0xFF, 0xDA])))
                    let scan = bytes[place.lowerBound..<bytes.count - 2]
                    bytes.insert(contentsOf: scan, at: bytes.count - 2)
                case .strayHeader: bytes.insert(0, at: 2)
                }
            }
            #expect(!picture.isShared)
            #expect(picture.outcome(1, byTwo: true) == picture.outcome(1))
        }
    }

    enum Structure: CaseIterable {
        case missing, order, late, other, lines, interval, more, scan, strayHeader
    }

    @Test("Damage within groups, found by either decoder, ends as with one decoder")
    func damage() async throws {
        try await ProcessorFixture.with { fixture in
            for group in [0, 1, 4, 7, 13, 14] {
                let damages: [(inout Data, Int) -> Void] = [
                    // An interval that ends early, stray bytes before its marker, and fill bytes.
                    { $0.removeSubrange($1 - 4..<$1) },
                    { $0.insert(contentsOf: [1, 2, 3, 4, 5, 6, 7, 8, 9], at: $1) },
                    { $0.insert(contentsOf: [0xFF, 0xFF], at: $1) },
                ]
                for (number, damage) in damages.enumerated() {
                    let picture = try fixture.changed { damage(&$0, $1[group]) }
                    #expect(picture.isShared)
                    let one = picture.outcome(1)
                    #expect((one.outcome.fault != nil) == (number == 0))
                    #expect(one.notes == (number == 1 ? ["stray bytes were skipped"] : []))
                    #expect(picture.outcome(1, byTwo: true) == one, "\(number) at \(group)")
                }
            }
        }
    }

    @Test("Mutants end with two decoders as with one")
    func mutants() async throws {
        let count = Thoroughness.isFull ? 50_000 : 5000
        try await ProcessorFixture.with { fixture in
            let intact = try fixture.restarts()
            let scan = try #require(intact.range(of: Data([0xFF, 0xDA]))).upperBound
            var random = SplitMix64(seed: 42)
            var (shared, faulty) = (0, 0)
            for number in 0..<count {
                var bytes = intact
                for _ in 0...random.below(3) { Self.mutate(&bytes, from: scan, &random) }
                try bytes.write(to: fixture.url("mutant.jpg"))
                guard let picture = try? RestartPicture(fixture.url("mutant.jpg").path) else {
                    continue
                }
                let one = picture.outcome(2)
                #expect(picture.outcome(2, byTwo: true) == one, "mutant \(number)")
                if picture.isShared { shared += 1 }
                if picture.isShared, one.outcome.fault != nil || !one.notes.isEmpty { faulty += 1 }
            }
            // Two decoders have begun most of them, and found the fault of many.
            #expect(shared > count / 4 && faulty > count / 20, "\(shared), \(faulty)")
        }
    }

    private static func mutate(_ bytes: inout Data, from scan: Int, _ random: inout SplitMix64) {
        let begin = random.oneIn(16) ? 0 : scan
        let place = begin + random.below(max(1, bytes.count - begin))
        guard place < bytes.count else { return }
        let end = min(bytes.count, place + 1 + random.below(6))
        switch random.below(8) {
        case 0: bytes.removeSubrange(place..<end)
        case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 2: bytes.insert(0xFF, at: place)
        case 3: bytes[place] = 0xFF
        case 4: if random.oneIn(8) { bytes.removeSubrange(place...) }
        default: bytes[place] ^= 1 << UInt8(random.below(8))
        }
    }

    @Test("A reader that is released early ends the other thread", arguments: [0, 1, 20, 80, 500])
    func released(after rows: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let each = JPEGCase(size: Self.size, restart: "1")
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            let picture = try RestartPicture(fixture.url("in.jpg").path)
            for _ in 0..<20 {
                let reader = try #require(picture.shared(1, DecodingNotes()))
                var read = 0
                while read < rows { #expect(try reader.next { _, _ in read += 1 }) }
            }
        }
    }

    @Test("One decoder reads encrypted pictures")
    func encrypted() async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try fixture.changed { _, _ in }
            let file = try AttachmentFile(PlainBytes(fixture.restarts()), path: "picture.jpg")
            let rows = GroupRows(
                file, of: picture.header, loadShrink: 1,
                makeOne: { () throws(DecodingFault) in try picture.one(1, DecodingNotes()) })
            #expect(picture.isShared && rows == nil)
        }
    }

    @Test("A cancelled picture is not indexed")
    func cancelled() async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try fixture.changed { _, _ in }
            #expect(picture.isShared)
            #expect(
                GroupRows(
                    picture.file, of: picture.header, loadShrink: 1, isCancelled: { true },
                    makeOne: { () throws(DecodingFault) in try picture.one(1, DecodingNotes()) })
                    == nil)
        }
    }
}

/// A plaintext in memory.
private final class PlainBytes: Plaintext {
    let identity = ContentDigest(of: "plain bytes")
    private let bytes: Data

    init(_ bytes: Data) { self.bytes = bytes }

    var length: Int { bytes.count }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(OpenFile.ReadFailure) -> Int {
        guard offset < bytes.count else { return 0 }
        let part = bytes[offset...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}
