public import AttachmentContainer

/// What a profile asks of the expanded rendition.
public struct RenditionTarget: Sendable, Hashable {
    /// The widest that it may be, in pixels; at least 1.
    public let widthInPixels: Int
    /// The decoded bytes, at four a pixel, that it may cost the extension.
    public let renderBudget: ByteCount
    /// Height divided by width of the extension's view.
    public let contentSizeRatio: Double
    /// How a picture of another ratio is made to suit.
    public let fitting: Profile.Fitting

    /// The size of the part to keep of a picture, in its own pixels.
    ///
    /// It is the largest that has the view's ratio, rounded to whole pixels, and is never empty;
    /// what is kept is shrunk afterwards as any other picture is.
    ///
    /// - Parameter picture: The size of the upright picture, in pixels.
    /// - Returns: The size of the part; that of the picture when the whole of it is shown.
    public func keptSize(of picture: PixelSize) -> PixelSize {
        guard fitting == .crop, picture.width > 0, picture.height > 0 else { return picture }
        let width = Double(picture.width)
        let height = Double(picture.height)
        // Compared as quotients, so that no product of a hostile ratio has to be finite.
        guard height / width > contentSizeRatio else {
            return PixelSize(
                width: Self.side(height / contentSizeRatio, upTo: picture.width),
                height: picture.height)
        }
        return PixelSize(
            width: picture.width, height: Self.side(width * contentSizeRatio, upTo: picture.height))
    }

    private static func side(_ length: Double, upTo limit: Int) -> Int {
        guard length.isFinite, length < Double(limit) else { return limit }
        return max(1, min(limit, Int(length.rounded())))
    }
}

extension Profile {
    /// What the profile means for processing an attachment.
    public var renditionTarget: RenditionTarget {
        RenditionTarget(
            widthInPixels: max(1, Int((display.width * display.scale).rounded())),
            renderBudget: display.renderBudget, contentSizeRatio: initialContentSizeRatio,
            fitting: fitting)
    }
}
