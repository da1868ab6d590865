import AttachmentContainer

/// The renditions of an attachment.
struct Renditions {
    let animation: EncodedAnimation?
    let stills: Stills

    init(animation: EncodedAnimation?, _ stills: Stills) {
        (self.animation, self.stills) = (animation, stills)
    }
}

/// The renditions that an engine makes.
package struct Stills {
    /// In the order of the plan's presets.
    let renditions: [EncodedRendition]
    let placeholder: Placeholder

    /// Combines the renditions of an engine; nil for those that are not among the plan's presets.
    package init(
        expanded: EncodedRendition?, banner: EncodedRendition?, others: [EncodedRendition],
        placeholder: Placeholder
    ) {
        renditions = [expanded, banner].compactMap(\.self) + others
        self.placeholder = placeholder
    }
}

package struct Placeholder {
    let hash: ThumbHash
    /// Average of the coded sRGB values, weighted by alpha.
    let averageColour: Colour

    /// Computes both; nil if the number of samples does not match the size.
    package init?(_ miniature: Miniature) {
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
