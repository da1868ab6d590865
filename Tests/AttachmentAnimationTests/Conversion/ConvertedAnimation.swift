import AttachmentAnimation
import AttachmentDecoding
import Foundation
import Testing

/// A GIF that was made of an animation.
struct ConvertedAnimation {
    let summary: AnimationSummary
    let bytes: [UInt8]

    init(_ path: String, _ settings: AnimationSettings = AnimationSettings()) throws {
        self = try OpenAnimation.at(path) { try ConvertedAnimation($0, settings) }
    }

    init(
        _ file: AnimationFile, _ settings: AnimationSettings,
        scratch: ScratchSpace = OpenAnimation.scratch
    ) throws {
        let conversion = try AnimationConversion(
            of: file, settings: settings, scratch: scratch)
        (summary, bytes) = try OpenAnimation.withUnnamedFile { descriptor in
            let summary = try conversion.run(to: descriptor) { false }
            return (summary, OpenAnimation.contents(of: descriptor))
        }
    }

    /// What our own decoder draws of it, as strictly as it can.
    func drawn() throws -> DrawnAnimation {
        try OpenAnimation.bytes(bytes, .gif, isTolerant: false) { try DrawnAnimation($0) }
    }
}

/// The peak signal-to-noise ratio of the colours of pixels that are not blank, in decibels.
func decibels(_ left: some Sequence<UInt32>, _ right: some Sequence<UInt32>) -> Double {
    var (sum, count) = (0.0, 0)
    for (left, right) in zip(left, right) where left >> 24 != 0 && right >> 24 != 0 {
        for shift: UInt32 in [0, 8, 16] {
            let difference = Double(left >> shift & 255) - Double(right >> shift & 255)
            sum += difference * difference
            count += 1
        }
    }
    return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(count) / sum)
}
