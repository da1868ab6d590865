import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning
import Foundation
import Randomness
import Testing

@Suite("Animated HEIC", .timeLimit(.minutes(3)))
struct HEVCSequenceTests {
    private static let names = [
        "hevc-intra", "hevc-inter", "hevc-open", "hevc-444", "hevc-422", "hevc-10-bit", "hevc-grey",
        "hevc-wide", "hevc-alpha", "hevc-premultiplied", "hevc-still", "hevc-large", "hevc-in-band",
        "hevc-long-term",
    ]

    /// Frames differ by more than 20 from each other, and chroma is interpolated differently.
    @Test(
        "Every frame is FFmpeg's, in the order and for the time in which it is shown",
        arguments: names)
    func frames(name: String) throws {
        let sequence = try SequenceFiles.sequence(name)
        let drawn = try OpenAnimation.bytes(sequence.bytes, .heic, isTolerant: false) {
            try DrawnAnimation($0)
        }
        #expect((drawn.width, drawn.height) == (sequence.width, sequence.height))
        #expect(drawn.delays == sequence.delays)
        #expect(drawn.plays == nil && drawn.unannounced == nil)
        try #require(drawn.pixels.count == sequence.delays.count)
        for (index, frame) in drawn.pixels.enumerated() {
            #expect(Self.difference(frame[...], sequence.pixels(ofFrame: index)) < 4, "\(index)")
        }
    }

    @Test("The header has the frames, their duration and the alpha of the track", arguments: names)
    func header(name: String) throws {
        let sequence = try SequenceFiles.sequence(name)
        let header = try SequenceFiles.header(sequence.bytes)
        #expect(header.format == .heic && header.frameCount == 9)
        #expect(header.timing == AnimationTiming(seconds: 0.79, loopCount: 0))
        #expect(header.hasAlpha == ["hevc-alpha", "hevc-premultiplied"].contains(name))
        let note = try #require(header.still).coding.stillNote(frames: "9")
        #expect(
            note
                == (name == "hevc-still"
                    ? "the still picture instead of 9 frames" : "first frame of 9"))
    }

    @Test("Frames after the end of the edit list are not shown", arguments: ["intra", "inter"])
    func edit(name: String) throws {
        let sequence = try SequenceFiles.sequence("hevc-\(name)-cut")
        let drawn = try OpenAnimation.bytes(sequence.bytes, .heic, isTolerant: false) {
            try DrawnAnimation($0)
        }
        #expect(drawn.delays == sequence.delays)
        try #require(drawn.pixels.count == 4)
        for (index, frame) in drawn.pixels.enumerated() {
            #expect(Self.difference(frame[...], sequence.pixels(ofFrame: index)) < 4, "\(index)")
        }
        let header = try SequenceFiles.header(sequence.bytes)
        #expect(header.frameCount == 4)
        #expect(header.timing == AnimationTiming(seconds: 0.355, loopCount: 0))
    }

    @Test("Absurd parameter sets in a sample are a fault", arguments: ["many", "long"])
    func absurdSets(name: String) throws {
        let bytes = try SequenceFiles.read("hevc-\(name)-sets.heics")
        let fault = #expect(throws: DecodingFault.self) {
            try OpenAnimation.bytes(bytes, .heic, isTolerant: false) { try DrawnAnimation($0) }
        }
        // A long set is no set, and the sample's first frame has others.
        #expect(fault?.code == (name == "many" ? .limit : .unsupported))
    }

    @Test("Frames that refer to a lost long-term picture are faults")
    func lostLongTermReference() throws {
        var bytes = try SequenceFiles.sequence("hevc-long-term").bytes
        let media = try #require(Data(bytes).firstRange(of: Data("mdat".utf8))).upperBound
        bytes[media + 4] = 41 << 1
        let frames = try Self.tolerated(bytes)
        #expect(frames.count == 9 && frames.allSatisfy { $0 == nil })
    }

    @Test("The still is the first frame", arguments: ["hevc-inter", "hevc-still", "hevc-alpha"])
    func still(name: String) throws {
        let sequence = try SequenceFiles.sequence(name)
        let still = try SequenceFiles.still(sequence.bytes)
        #expect(Self.difference(still[...], sequence.pixels(ofFrame: 0)) < 4)
    }

    @Test("A truncated file is a fault, or shows the intact frames if tolerated")
    func truncation() throws {
        let sequence = try SequenceFiles.sequence("hevc-intra")
        var (faults, most) = (0, 0)
        for length in stride(from: 1_000, to: sequence.bytes.count, by: 61) {
            let bytes = Array(sequence.bytes.prefix(length))
            if (try? OpenAnimation.bytes(bytes, .heic, isTolerant: false) {
                try DrawnAnimation($0)
            }) == nil {
                faults += 1
            }
            most = max(most, try Self.tolerated(bytes).compactMap { $0 }.count)
        }
        #expect(faults > 20 && most >= 8)
    }

    @Test("A damaged frame is a fault; if tolerated, all frames without references stay intact")
    func damage() throws {
        let sequence = try SequenceFiles.sequence("hevc-intra")
        // The last frame's NAL unit header gets a type that no decoder has.
        var bytes = sequence.bytes
        let place = try #require(Self.lastUnit(of: bytes))
        bytes[place] = 41 << 1
        #expect(throws: DecodingFault.self) {
            try OpenAnimation.bytes(bytes, .heic, isTolerant: false) { try DrawnAnimation($0) }
        }
        let frames = try Self.tolerated(bytes)
        #expect(frames.count == 9)
        for (index, frame) in frames.enumerated() {
            guard let frame else {
                #expect(index == 8)
                continue
            }
            #expect(Self.difference(frame[...], sequence.pixels(ofFrame: index)) < 4)
        }
    }

    @Test("Frames that refer to a lost one are faults, up to the next one that needs no others")
    func lostReference() throws {
        let sequence = try SequenceFiles.sequence("hevc-open")
        var bytes = sequence.bytes
        let media = try #require(Data(bytes).firstRange(of: Data("mdat".utf8))).upperBound
        bytes[media + 4] = 41 << 1
        let frames = try Self.tolerated(bytes)
        #expect(frames.count == 9 && frames[0] == nil && frames[1] == nil)
        let last = try #require(frames[8])
        #expect(Self.difference(last[...], sequence.pixels(ofFrame: 8)) < 4)
    }

    @Test("A sequence with more frames than the limit is refused")
    func limit() throws {
        let sequence = try SequenceFiles.sequence("hevc-inter")
        var settings = AnimationSettings()
        settings.limits.frames = 8
        let fault = #expect(throws: AnimationFault.self) {
            try OpenAnimation.bytes(sequence.bytes, .heic) {
                _ = try AnimationConversion(of: $0, settings: settings, in: OpenAnimation.space)
            }
        }
        #expect(fault?.code == .tooManyFrames)
    }

    @Test("A rotated track stays a still picture")
    func rotation() throws {
        var bytes = try SequenceFiles.sequence("hevc-still").bytes
        let head = try #require(Data(bytes).firstRange(of: Data("tkhd".utf8))).upperBound
        bytes[head + 40] = 0xFF
        let header = try SequenceFiles.header(bytes)
        #expect(header.frameCount == 9 && header.timing == nil && header.still == nil)
    }

    @Test(
        "Any changed byte gives a fault or frames",
        arguments: ["hevc-open", "hevc-alpha", "hevc-in-band", "hevc-long-term"])
    func flips(name: String) throws {
        let sequence = try SequenceFiles.sequence(name)
        var randomness = SplitMix64(seed: 5)
        var (pictures, faults) = (0, 0)
        for _ in 0..<150 {
            var bytes = sequence.bytes
            for _ in 0..<2 {
                let place = Int.random(in: 40..<bytes.count, using: &randomness)
                bytes[place] = UInt8.random(in: 0...255, using: &randomness)
            }
            do {
                try OpenAnimation.bytes(bytes, .heic) { file in
                    let frames = try file.frames(in: OpenAnimation.space)
                    guard frames.canvas.width * frames.canvas.height < 1 << 20 else { return }
                    while try frames.next() != nil { _ = try? frames.draw() }
                }
                pictures += 1
            } catch {
                faults += 1
            }
        }
        #expect(pictures > 5 && faults > 5)
    }

    /// The canvas after each frame; nil for frames with a fault.
    private static func tolerated(_ bytes: [UInt8]) throws -> [[UInt32]?] {
        var drawn: [[UInt32]?] = []
        try OpenAnimation.bytes(bytes, .heic) { file in
            guard let frames = try? file.frames(in: OpenAnimation.space) else { return }
            let count = frames.canvas.width * frames.canvas.height
            while let frame = try? frames.next(), frame.isComplete {
                guard (try? frames.draw()) != nil else {
                    drawn.append(nil)
                    continue
                }
                drawn.append(
                    Array(UnsafeBufferPointer(start: try frames.canvas.pixels(), count: count)))
            }
        }
        return drawn
    }

    /// Place of the last sample's NAL unit header; samples have one unit each.
    private static func lastUnit(of bytes: [UInt8]) -> Int? {
        guard var place = Data(bytes).firstRange(of: Data("mdat".utf8))?.upperBound else {
            return nil
        }
        while true {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard place + 4 + length < bytes.count else { return place + 4 }
            place += 4 + length
        }
    }

    /// Mean of the largest difference of a channel.
    private static func difference(
        _ left: ArraySlice<UInt32>, _ right: ArraySlice<UInt32>
    ) -> Double {
        guard left.count == right.count, !left.isEmpty else { return 255 }
        return Double(zip(left, right).map(distance).reduce(0, +)) / Double(left.count)
    }
}
