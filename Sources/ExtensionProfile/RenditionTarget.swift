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

    /// Height divided by width that the rendition is to be cropped to, as large as it can be.
    ///
    /// It is what the settings of a processor take; nil when the whole picture is shown.
    public var cropRatio: Double? { fitting == .crop ? contentSizeRatio : nil }
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
