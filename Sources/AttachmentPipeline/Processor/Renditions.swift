import AttachmentContainer
import AttachmentPlanning

/// Everything that is made of one attachment, before it is published.
struct Renditions {
    /// The animation; nil when nothing moves.
    let moving: EncodedAnimation.Moving?
    /// What was given up of an animation and why, for the manifest; nil for a still.
    let animationNotes: [String]?
    /// The full picture.
    let expanded: EncodedRendition
    /// The small square.
    let banner: EncodedRendition
    /// What is shown until, or instead of, a picture.
    let placeholder: Placeholder
}

/// A blurred likeness and an average colour.
struct Placeholder {
    /// The longest side of the picture that it is computed from, in pixels: what ThumbHash takes.
    static let longestSide = 100

    /// The likeness.
    let hash: ThumbHash
    /// The average of what is not transparent, of the sRGB values as they are coded.
    let averageColour: Colour

    /// Computes both; nil when the samples are not as many as the size says.
    ///
    /// - Parameter miniature: The picture, small.
    init?(_ miniature: Miniature) {
        let (size, rgba) = (miniature.size, miniature.rgba)
        guard let hash = ThumbHash(width: size.width, height: size.height, rgba: rgba) else {
            return nil
        }
        self.hash = hash
        var sums = [0, 0, 0, 0]
        for pixel in stride(from: 0, to: rgba.count, by: 4) {
            let alpha = Int(rgba[pixel + 3])
            for channel in 0..<3 { sums[channel] += Int(rgba[pixel + channel]) * alpha }
            sums[3] += alpha
        }
        let mean = sums.map { UInt8(sums[3] == 0 ? 0 : ($0 + sums[3] / 2) / sums[3]) }
        averageColour = Colour(red: mean[0], green: mean[1], blue: mean[2])
    }
}
