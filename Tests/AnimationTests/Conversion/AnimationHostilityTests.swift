import AnimationReference
import AttachmentPipeline
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import Testing

@Suite("Damaged animations", .timeLimit(.minutes(4)))
struct AnimationHostilityTests {
    @Test(
        "Conversion gives a playable GIF, or an error with a reason",
        arguments: [AnimationFile.Format.gif, .webp, .png])
    func mutations(_ format: AnimationFile.Format) throws {
        var dice = SplitMix64(seed: 2026)
        // Without films, which would take most of the time.
        let references = ReferenceAnimations.all(format).filter { $0.width < 100 }
        var settings = AnimationSettings()
        settings.limits.pixels = 1_000_000
        settings.limits.drawnPixels = 4_000_000
        let scratch = ScratchSpace(folder: "/var/tmp", ceiling: 1 << 28)
        var played = 0
        for _ in 0..<250 {
            let reference = try #require(references.randomElement(using: &dice))
            var bytes = [UInt8](try Data(contentsOf: URL(filePath: reference.path)))
            Self.mutate(&bytes, &dice)
            let isTolerant = Bool.random(using: &dice)
            do {
                let converted = try OpenAnimation.bytes(bytes, format, isTolerant: isTolerant) {
                    try ConvertedAnimation($0, settings, in: PlaneSpace(scratch))
                }
                let drawn = try converted.drawn()
                #expect(drawn.pixels.count == converted.summary.frames)
                played += 1
            } catch let fault as AnimationFault {
                #expect(!fault.reason.isEmpty)
                #expect(fault.code != .unwritable)
            }
        }
        // Most damaged files still move.
        #expect(played > 50)
        #expect(scratch.liveBytes == 0)
    }

    private static func mutate(_ bytes: inout [UInt8], _ dice: inout SplitMix64) {
        switch Int.random(in: 0...3, using: &dice) {
        case 0:
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &dice))
        case 1:
            let start = Int.random(in: 0..<bytes.count, using: &dice)
            let end = min(bytes.count, start + Int.random(in: 1...40, using: &dice))
            bytes.removeSubrange(start..<end)
        default:
            for _ in 0..<Int.random(in: 1...6, using: &dice) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &dice)
                bytes[place] = UInt8.random(in: 0...255, using: &dice)
            }
        }
    }

    @Test("Every prefix of a file is an error or an animation")
    func beginnings() throws {
        for format in [AnimationFile.Format.gif, .webp, .png] {
            let reference = try #require(
                ReferenceAnimations.all(format).filter { $0.width < 30 }.first)
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: reference.path)))
            for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 60)) {
                do {
                    _ = try OpenAnimation.bytes(Array(bytes[..<length]), format) {
                        try ConvertedAnimation($0, AnimationSettings())
                    }
                } catch let fault as AnimationFault {
                    #expect(!fault.reason.isEmpty)
                }
            }
        }
    }
}
