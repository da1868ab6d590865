public import AttachmentContainer

extension Planner {
    /// To what a picture is reduced, and what is kept of it.
    struct Sizes {
        /// The size of the whole picture, reduced, in pixels.
        let reduced: PixelSize
        /// The size of what is kept of it, the expanded rendition, in pixels.
        let expanded: PixelSize

        /// Whether something is cut off.
        var isCropped: Bool { expanded != reduced }
    }

    /// The size of the expanded rendition: the largest with the picture's proportions, or with the
    /// ratio that it is cropped to, that keeps to the width, the render budget and the longest side.
    ///
    /// - Parameter upright: The size of the picture as seen, in pixels.
    /// - Returns: The size, in pixels; both sides are at least 1, and at most the picture's.
    public func expandedSize(of upright: PixelSize) -> PixelSize { sizes(of: upright).expanded }

    /// The size of the reduced picture and of the expanded rendition.
    ///
    /// - Parameter upright: The size of the picture as seen, in pixels.
    /// - Returns: Both sizes; they are the same where nothing is cut off.
    func sizes(of upright: PixelSize) -> Sizes {
        let share = fittingShare(of: upright)
        let reduced = upright.scaled(by: share)
        guard let part = part(of: upright) else {
            let whole = withinBudget(reduced)
            return Sizes(reduced: whole, expanded: whole)
        }
        let kept = PixelSize(
            width: part.width < Double(upright.width)
                ? Self.cut(reduced.width, to: part.width * share) : reduced.width,
            height: part.height < Double(upright.height)
                ? Self.cut(reduced.height, to: part.height * share) : reduced.height)
        return Sizes(reduced: reduced, expanded: withinBudget(kept))
    }

    /// The factor for both sides at which what is kept of a picture fits; at most 1.
    ///
    /// - Parameter upright: The size of the picture as seen, in pixels.
    /// - Returns: The factor. The pixels that it leaves never fall as a picture grows in its
    ///   proportions.
    func fittingShare(of upright: PixelSize) -> Double {
        let whole = (width: Double(upright.width), height: Double(upright.height))
        guard let part = part(of: upright) else { return share(fitting: whole) }
        // Never less than what the whole picture would be reduced to without a ratio.
        let mostHeld = max(Self.mostHeldPixels, budgetedPixels)
        return min(
            share(fitting: part), (mostHeld / (whole.width * whole.height)).squareRoot())
    }

    /// The longest side of a rendition, in pixels: the largest 2D texture that every iPhone with
    /// rich notifications takes (Metal Feature Set Tables, Apple A8 and earlier: 8192).
    public static let longestSide = 8192

    /// The most pixels that are held of a picture to crop it, 150 MB of a scratch file.
    ///
    /// The default render budget is a twentieth of that: a part of a smaller share of the picture is
    /// shrunk more than it would have to be.
    private static let mostHeldPixels = 50_000_000.0

    /// The largest part with the ratio that is asked for, in pixels of the picture; nil where no
    /// ratio is asked for, and where the rendition has it to half a pixel.
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

    /// The factor for both sides that fits a picture to the width, the render budget and the longest
    /// side; at most 1.
    private func share(fitting size: (width: Double, height: Double)) -> Double {
        [
            1,
            Double(settings.widthInPixels) / size.width,
            Double(Self.longestSide) / max(size.width, size.height),
            (budgetedPixels / (size.width * size.height)).squareRoot(),
        ].reduce(1, min)
    }

    /// What the render budget is enough for.
    private var budgetedPixels: Double { Double(settings.renderBudget.bytes) / 4 }

    /// A side of which something is cut off, if there is more than one pixel.
    private static func cut(_ side: Int, to length: Double) -> Int {
        max(1, min(side - 1, Int(length.rounded())))
    }

    /// Rounding, and the floor of one pixel a side, can pass the budget by a row or a column.
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
    /// The size with both sides multiplied, at least 1 pixel each.
    ///
    /// - Parameter share: The factor.
    /// - Returns: The size, in pixels.
    func scaled(by share: Double) -> PixelSize {
        PixelSize(
            width: max(1, Int((Double(width) * share).rounded())),
            height: max(1, Int((Double(height) * share).rounded())))
    }
}
