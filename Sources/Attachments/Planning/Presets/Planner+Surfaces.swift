import AttachmentContainer
import AttachmentModel

extension ProcessingSettings {
    /// Surfaces that the decoded picture must cover beside an expanded rendition.
    var surfaces: [Surface] {
        let side = bannerSideInPixels
        let banner = Surface(side, side, isFilled: true)
        return presets.surfaces.map(\.surface) + (presets.presets.contains(.banner) ? [banner] : [])
    }
}

extension Planner {
    /// Sizes of the renditions of a picture on surfaces of their own.
    ///
    /// `upright` is the size of the decoder's input, `original` the attachment's size. `decoded` is
    /// the factor of the decoded picture's sides, which no rendition exceeds.
    func renditions(
        of upright: PixelSize, original: PixelSize, within decoded: Double = 1
    ) -> [PlannedRendition] {
        settings.presets.surfaces.map { preset, surface in
            let (whole, size) = sizes(
                of: upright, on: surface, share: min(share(of: upright, on: surface), decoded))
            let requested = sizes(
                of: original, on: surface, share: share(of: original, on: surface))
            return PlannedRendition(
                preset: preset, surface: surface, wholeSize: whole, size: size,
                requestedSize: requested.part,
                isLimitedByPixels: isLimitedByPixels(upright, on: surface))
        }
    }

    /// Factor for both sides of a picture, at most 1, at which its part fits a surface.
    func share(of upright: PixelSize, on surface: Surface) -> Double {
        let part = part(of: upright, on: surface)
        return [
            1, sideShare(of: part, on: surface),
            (Double(surface.maximumPixels) / (part.width * part.height)).squareRoot(),
            heldShare(of: (Double(upright.width), Double(upright.height))),
        ].reduce(1, min)
    }

    private func sideShare(
        of part: (width: Double, height: Double), on surface: Surface
    ) -> Double {
        min(Double(surface.size.width) / part.width, Double(surface.size.height) / part.height)
    }

    private func isLimitedByPixels(_ upright: PixelSize, on surface: Surface) -> Bool {
        guard surface.maximumPixels < surface.size.pixelCount else { return false }
        let part = part(of: upright, on: surface)
        let pixels = (Double(surface.maximumPixels) / (part.width * part.height)).squareRoot()
        return pixels < min(1, sideShare(of: part, on: surface))
    }

    /// The part that a surface shows, in pixels of the picture.
    func part(of upright: PixelSize, on surface: Surface) -> (width: Double, height: Double) {
        let whole = (width: Double(upright.width), height: Double(upright.height))
        guard surface.isFilled else { return whole }
        let ratio = surface.size.heightToWidthRatio
        return (
            min(whole.width, whole.height / ratio), min(whole.height, whole.width * ratio)
        )
    }

    private func sizes(
        of upright: PixelSize, on surface: Surface, share: Double
    ) -> (whole: PixelSize, part: PixelSize) {
        let part = part(of: upright, on: surface)
        let whole = upright.scaled(by: share)
        let room = surface.size
        var size = PixelSize(
            width: max(1, min(whole.width, room.width, Int((part.width * share).rounded()))),
            height: max(1, min(whole.height, room.height, Int((part.height * share).rounded()))))
        // Rounding, and a side of one pixel, may exceed the number by a row or column.
        while size.pixelCount > surface.maximumPixels {
            size =
                size.width > size.height
                ? PixelSize(width: size.width - 1, height: size.height)
                : PixelSize(width: size.width, height: size.height - 1)
        }
        return (surface.isFilled ? whole : size, size)
    }
}

extension Planner.Sizes {
    /// Sizes that take less memory: the decoded picture's sides are multiplied by a factor.
    ///
    /// Renditions that are small already keep their sizes.
    func scaled(by share: Double, _ planner: Planner, of upright: PixelSize) -> Self {
        let decoded = planner.decodedShare(of: upright)
        let content = min(1, share * decoded / planner.expandedShare(of: upright))
        return Self(
            reduced: reduced.scaled(by: share), whole: whole.scaled(by: content),
            expanded: expanded.scaled(by: content), expandedReduction: content,
            renditions: planner.renditions(
                of: upright, original: upright, within: decoded * share))
    }
}
