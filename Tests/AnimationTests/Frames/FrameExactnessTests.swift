import AnimationReference
import AttachmentFormats
import Foundation
import Testing

@Suite("Drawn frames", .timeLimit(.minutes(4)))
struct FrameExactnessTests {
    @Test("References of every format exist")
    func references() {
        #expect(ReferenceAnimations.all(.gif).count == 80)
        #expect(ReferenceAnimations.all(.webp).count == 53)
        #expect(ReferenceAnimations.all(.png).count == 60)
    }

    @Test(
        "Every frame of a GIF matches its reference",
        arguments: ReferenceAnimations.all(.gif))
    func gif(_ reference: ReferenceAnimation) throws {
        try compare(reference, tolerance: 0)
    }

    @Test(
        "Every frame of an animated WebP matches, except for rounding of blends",
        arguments: ReferenceAnimations.all(.webp))
    func webp(_ reference: ReferenceAnimation) throws {
        try compare(reference, tolerance: 2)
    }

    @Test(
        "Every frame of an animated PNG matches, except for rounding of blends",
        arguments: ReferenceAnimations.all(.png))
    func png(_ reference: ReferenceAnimation) throws {
        try compare(reference, tolerance: 2)
    }

    private func compare(_ reference: ReferenceAnimation, tolerance: Int) throws {
        for isTolerant in [true, false] {
            let drawn = try OpenAnimation.at(reference.path, isTolerant: isTolerant) {
                try DrawnAnimation($0)
            }
            #expect((drawn.width, drawn.height) == (reference.width, reference.height))
            #expect(drawn.delays == reference.delays)
            #expect(drawn.plays == (reference.plays == 0 ? nil : reference.plays))
            #expect(drawn.unannounced == nil)
            let expected = try reference.pixels()
            try #require(expected.count == drawn.pixels.joined().count)
            let worst = zip(expected, drawn.pixels.joined()).map(distance).max() ?? 0
            #expect(worst <= tolerance)
        }
    }
}
