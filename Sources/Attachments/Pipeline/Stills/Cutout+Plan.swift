package import AttachmentContainer
import AttachmentModel
package import AttachmentPlanning

extension Cutout {
    /// The part of the decoded picture that a planned rendition shows.
    package init(
        _ planned: PlannedRendition, of picture: PixelSize, where attention: Attention
    ) {
        let across = Double(picture.width) / Double(planned.wholeSize.width)
        let down = Double(picture.height) / Double(planned.wholeSize.height)
        let size = PixelSize(
            width: max(planned.size.width, Int((Double(planned.size.width) * across).rounded())),
            height: max(planned.size.height, Int((Double(planned.size.height) * down).rounded())))
        self.init(size, of: picture, where: attention)
    }
}

extension PlannedRendition {
    /// The size, never enlarged where rounding made the decoded picture's part smaller.
    package func size(within part: PixelSize) -> PixelSize {
        PixelSize(width: min(size.width, part.width), height: min(size.height, part.height))
    }

    /// Minimum longer side of an attempt, as for a banner: a quarter.
    package var floor: Int { max(size.width, size.height) / 4 }
}

extension Plan {
    /// True if the file itself becomes the expanded rendition, whatever its pixels.
    var isKept: Bool { [.copy, .strip, .turn].contains(treatment) }

    /// Size of the decoded picture when the file itself is kept: the banner's and the presets'.
    func sizeBesideKeptFile(_ settings: ProcessingSettings) -> PixelSize {
        let covering = Planner.coveringSize(of: reducedSize, side: settings.bannerSideInPixels)
        return renditions.map(\.wholeSize).reduce(covering) { largest, size in
            PixelSize(
                width: max(largest.width, size.width), height: max(largest.height, size.height))
        }
    }
}
