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
    let expanded: EncodedRendition
    let banner: EncodedRendition
    let placeholder: Placeholder

    package init(expanded: EncodedRendition, banner: EncodedRendition, placeholder: Placeholder) {
        (self.expanded, self.banner, self.placeholder) = (expanded, banner, placeholder)
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
