import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import Testing

@Suite("Animated AVIF", .timeLimit(.minutes(3)))
struct SequenceTests {
    /// Premultiplied colours are rounded before their division by alpha.
    @Test(
        "Every frame equals avifdec's, by depth, sampling, range, alpha and grain",
        arguments: [
            ("lossless", 0), ("alpha", 1), ("premultiplied", 8), ("10-bit", 2), ("limited", 3),
            ("12-bit", 2), ("grey", 1), ("grain", 3), ("key-frames", 2),
        ])
    func exactness(name: String, tolerance: Int) throws {
        let sequence = try SequenceFiles.sequence(name)
        let drawn = try OpenAnimation.bytes(sequence.bytes, .avif, isTolerant: false) {
            try DrawnAnimation($0)
        }
        #expect((drawn.width, drawn.height) == (sequence.width, sequence.height))
        #expect(drawn.delays == sequence.delays)
        #expect(drawn.plays == nil && drawn.unannounced == nil)
        try #require(drawn.pixels.joined().count == sequence.pixels.count)
        let worst = zip(sequence.pixels, drawn.pixels.joined()).map(distance).max() ?? .max
        #expect(worst <= tolerance)
    }

    @Test("The header has the frames, their duration and the alpha of the track")
    func header() throws {
        for name in ["lossless", "alpha"] {
            let header = try SequenceFiles.header(SequenceFiles.sequence(name).bytes)
            #expect(header.format == .avif && header.frameCount == 5)
            #expect(header.timing == AnimationTiming(seconds: 0.49, loopCount: 0))
            #expect(header.hasAlpha == (name == "alpha"))
        }
    }

    @Test("A track without a still picture has the same frames, and shows the first")
    func trackOnly() throws {
        let sequence = try SequenceFiles.sequence("alpha")
        let bytes = try Self.withoutStill(sequence.bytes)
        let header = try SequenceFiles.header(bytes)
        #expect(header.frameCount == 5 && header.hasAlpha)
        #expect(header.storedSize == PixelSize(width: sequence.width, height: sequence.height))
        let drawn = try OpenAnimation.bytes(bytes, .avif) { try DrawnAnimation($0) }
        #expect(zip(sequence.pixels, drawn.pixels.joined()).map(distance).max() ?? .max <= 1)
        let first = try SequenceFiles.still(bytes)
        let count = sequence.width * sequence.height
        #expect(zip(sequence.pixels.prefix(count), first).map(distance).max() ?? .max <= 1)
    }

    @Test("A truncated file is truncated, or shows the intact frames if tolerated")
    func truncation() throws {
        let sequence = try SequenceFiles.sequence("10-bit")
        var (frames, faults) = (0, 0)
        for length in stride(from: 12, to: sequence.bytes.count, by: 97) {
            let bytes = Array(sequence.bytes.prefix(length))
            if (try? OpenAnimation.bytes(bytes, .avif, isTolerant: false) {
                try DrawnAnimation($0)
            }) == nil {
                faults += 1
            }
            let drawn = try? OpenAnimation.bytes(bytes, .avif) { try DrawnAnimation($0) }
            frames = max(frames, drawn?.pixels.count ?? 0)
        }
        #expect(faults > 10 && frames >= 0)
    }

    @Test("Any changed byte gives a fault or frames", arguments: ["lossless", "alpha", "grain"])
    func flips(name: String) throws {
        let sequence = try SequenceFiles.sequence(name)
        var randomness = SplitMix64(seed: 3)
        var (pictures, faults) = (0, 0)
        for round in 0..<120 {
            var bytes = sequence.bytes
            for _ in 0..<3 {
                // Two thirds of the changes are in the tables.
                let end = round.isMultiple(of: 3) ? bytes.count : min(2_000, bytes.count)
                let place = Int.random(in: 12..<end, using: &randomness)
                bytes[place] = UInt8.random(in: 0...255, using: &randomness)
            }
            do {
                try OpenAnimation.bytes(bytes, .avif) { file in
                    let frames = try file.frames(in: OpenAnimation.space)
                    guard frames.canvas.width * frames.canvas.height < 1 << 20 else { return }
                    var count = 0
                    while try frames.next() != nil, count < 20 {
                        _ = try frames.draw()
                        count += 1
                    }
                }
                pictures += 1
            } catch {
                faults += 1
            }
        }
        #expect(pictures > 5 && faults > 5)
    }

    /// Renames the box of the still picture.
    private static func withoutStill(_ bytes: [UInt8]) throws -> [UInt8] {
        let place = try #require(Data(bytes).firstRange(of: Data("meta".utf8))).lowerBound
        var bytes = bytes
        bytes.replaceSubrange(place..<place + 4, with: Array("free".utf8))
        return bytes
    }
}
