import AnimationReference
import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import Foundation
import Randomness
import Testing

@Suite("Damaged animations", .timeLimit(.minutes(4)))
struct AnimationHostilityTests {
    @Test("Five hundred mutated GIFs and WebPs are published or refused")
    func mutations() async throws {
        try await ProcessorFixture.with { fixture in
            var dice = SplitMix64(seed: 1066)
            // Without films, which would take most of the time.
            let references = (ReferenceAnimations.all(.gif) + ReferenceAnimations.all(.webp))
                .filter { $0.width < 100 }
            var settings = ProcessorFixture.settings
            settings.maximumPixels = 4_000_000
            settings.animationLimits.pixels = 1_000_000
            settings.animationLimits.drawnPixels = 4_000_000
            let processors = try [false, true].map { isTolerant in
                settings.toleratesTruncation = isTolerant
                return try fixture.processor(settings)
            }
            var (moving, refused) = (0, 0)
            for number in 0..<500 {
                let reference = try #require(references.randomElement(using: &dice))
                var bytes = try Data(contentsOf: URL(filePath: reference.path))
                Self.mutate(&bytes, &dice)
                let file = fixture.url("in.tmp")
                try bytes.write(to: file)
                do {
                    let done = try await processors[number % 2].process(
                        file.path, identifier: "id")
                    #expect(done.manifest.rendition(.expanded) != nil)
                    let attachment = done.manifest.rendition(.attachment)
                    if let attachment {
                        moving += 1
                        #expect((attachment.frames ?? 0) > 1)
                        #expect(attachment.decodedBytes.bytes <= 48 << 20)
                    }
                } catch let error as AttachmentError {
                    refused += 1
                    #expect(!error.reason.isEmpty)
                    #expect(error.code != .storage, "\(error)")
                }
            }
            // Most damaged animations still move in tolerant mode.
            #expect(moving > 100 && refused > 50, "\(moving) move, \(refused) are refused")
            #expect(try fixture.incoming.isEmpty)
        }
    }

    private static func mutate(_ bytes: inout Data, _ dice: inout SplitMix64) {
        switch Int.random(in: 0...3, using: &dice) {
        case 0:
            bytes.removeLast(Int.random(in: 0..<bytes.count - 1, using: &dice))
        case 1:
            let start = Int.random(in: 1..<bytes.count, using: &dice)
            let end = min(bytes.count, start + Int.random(in: 1...40, using: &dice))
            bytes.removeSubrange(start..<end)
        default:
            for _ in 0..<Int.random(in: 1...6, using: &dice) {
                let place = Int.random(in: 0..<bytes.count, using: &dice)
                bytes[place] = UInt8.random(in: 0...255, using: &dice)
            }
        }
    }
}
