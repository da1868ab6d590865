public import AttachmentContainer
import AttachmentModel

extension Planner {
    struct Sizes {
        /// The whole decoded picture, large enough for every rendition.
        let reduced: PixelSize
        /// The whole picture before the expanded rendition's crop, at most `reduced`.
        let whole: PixelSize
        /// The part after cropping.
        let expanded: PixelSize
        /// Factor of `whole` relative to the requested size.
        var expandedReduction = 1.0
        /// Renditions of presets with a surface of their own.
        let renditions: [PlannedRendition]

        var isCropped: Bool { expanded != whole }

        /// True if the banner can be made from the expanded rendition without enlarging it.
        func coversBanner(_ settings: ProcessingSettings) -> Bool {
            min(expanded.width, expanded.height) >= settings.bannerSideInPixels
        }
    }

    /// Size of the expanded rendition.
    ///
    /// It is the largest with the picture's proportions, or with the crop ratio, within the width,
    /// the render budget and the longest side.
    ///
    /// - Parameter upright: The displayed size of the picture, in pixels.
    /// - Returns: The size, in pixels; both sides are at least 1, and at most the picture's.
    public func expandedSize(of upright: PixelSize) -> PixelSize { sizes(of: upright).expanded }

    /// Sizes of the decoded picture and of all renditions.
    ///
    /// `original` is the attachment's upright size, larger than an embedded preview's.
    func sizes(of upright: PixelSize, original: PixelSize? = nil) -> Sizes {
        let share = decodedShare(of: upright)
        let renditions = renditions(of: upright, original: original ?? upright)
        guard settings.presets.includesContent else {
            let reduced = upright.scaled(by: share)
            return Sizes(
                reduced: reduced, whole: reduced, expanded: reduced, renditions: renditions)
        }
        let (whole, expanded) = contentSizes(of: upright)
        let reduced = share > contentShare(of: upright) ? upright.scaled(by: share) : whole
        return Sizes(reduced: reduced, whole: whole, expanded: expanded, renditions: renditions)
    }

    private func contentSizes(of upright: PixelSize) -> (whole: PixelSize, expanded: PixelSize) {
        let share = contentShare(of: upright)
        let reduced = upright.scaled(by: share)
        guard let part = part(of: upright) else {
            let whole = withinBudget(reduced)
            return (whole, whole)
        }
        let kept = PixelSize(
            width: part.width < Double(upright.width)
                ? Self.croppedSide(reduced.width, to: part.width * share) : reduced.width,
            height: part.height < Double(upright.height)
                ? Self.croppedSide(reduced.height, to: part.height * share) : reduced.height)
        return (reduced, withinBudget(kept))
    }

    /// Factor for both sides of a picture, at most 1, at which it covers all renditions.
    ///
    /// The resulting number of pixels never falls as a picture grows in its proportions.
    func decodedShare(of upright: PixelSize) -> Double {
        var shares = settings.surfaces.map { share(of: upright, on: $0) }
        if settings.presets.includesContent { shares.append(contentShare(of: upright)) }
        return shares.reduce(0, max)
    }

    /// Factor for both sides of the picture that an expanded rendition is made from: the decoded
    /// picture without one.
    func expandedShare(of upright: PixelSize) -> Double {
        settings.presets.includesContent ? contentShare(of: upright) : decodedShare(of: upright)
    }

    /// Factor for both sides, at most 1, at which the kept part of a picture fits.
    func contentShare(of upright: PixelSize) -> Double {
        let whole = (width: Double(upright.width), height: Double(upright.height))
        guard let part = part(of: upright) else { return share(fitting: whole) }
        // Never less than the whole picture's share without a ratio.
        return min(share(fitting: part), heldShare(of: whole))
    }

    /// Factor for both sides at which a whole picture may be held for a crop.
    func heldShare(of whole: (width: Double, height: Double)) -> Double {
        let heldPixels = max(Self.maximumHeldPixels, budgetedPixels)
        return (heldPixels / (whole.width * whole.height)).squareRoot()
    }

    /// Longest side of a rendition, in pixels: the largest 2D texture of every iPhone with rich
    /// notifications (Metal Feature Set Tables, Apple A8 and earlier: 8192).
    public static let longestSide = 8192

    /// Maximum pixels held for a crop, 150 MB of a scratch file.
    ///
    /// The default render budget is a twentieth of that. A crop to a smaller share of the picture
    /// is shrunk more than necessary.
    private static let maximumHeldPixels = 50_000_000.0

    /// Largest part with the crop ratio, in pixels of the picture.
    ///
    /// Nil without a ratio, and when the rendition has it to within half a pixel.
    private func part(of upright: PixelSize) -> (width: Double, height: Double)? {
        guard let ratio = settings.cropRatio else { return nil }
        let whole = (width: Double(upright.width), height: Double(upright.height))
        let part = (
            width: min(whole.width, whole.height / ratio),
            height: min(whole.height, whole.width * ratio)
        )
        let cut = max(whole.width - part.width, whole.height - part.height)
        return cut * share(fitting: whole) > 0.5 ? part : nil
    }

    /// Factor for both sides, at most 1, that fits the width, render budget and longest side.
    private func share(fitting size: (width: Double, height: Double)) -> Double {
        [
            1,
            Double(settings.widthInPixels) / size.width,
            Double(Self.longestSide) / max(size.width, size.height),
            (budgetedPixels / (size.width * size.height)).squareRoot(),
        ].reduce(1, min)
    }

    private var budgetedPixels: Double { Double(settings.renderBudget.bytes) / 4 }

    /// Length of a cropped side: at least 1 pixel, and less than the whole if possible.
    private static func croppedSide(_ side: Int, to length: Double) -> Int {
        max(1, min(side - 1, Int(length.rounded())))
    }

    /// Rounding and the minimum of one pixel per side can exceed the budget by a row or column.
    private func withinBudget(_ size: PixelSize) -> PixelSize {
        var fitted = size
        while fitted.decodedBytes > settings.renderBudget {
            fitted =
                fitted.width > fitted.height
                ? PixelSize(width: max(1, fitted.width - 1), height: fitted.height)
                : PixelSize(width: fitted.width, height: max(1, fitted.height - 1))
        }
        return fitted
    }
}

extension PixelSize {
    func scaled(by share: Double) -> PixelSize {
        PixelSize(
            width: max(1, Int((Double(width) * share).rounded())),
            height: max(1, Int((Double(height) * share).rounded())))
    }
}
