public import AttachmentContainer

/// A profile's requirements for the expanded rendition.
public struct RenditionTarget: Sendable, Hashable {
    /// Maximum width, in pixels; at least 1.
    public let widthInPixels: Int
    /// Maximum decoded size, at four bytes per pixel.
    public let renderBudget: ByteCount
    /// Height divided by width of the extension's view.
    public let contentSizeRatio: Double
    /// The fitting of a picture with another ratio.
    public let fitting: Profile.Fitting

    /// Height divided by width to crop the rendition to; nil to keep the whole picture.
    ///
    /// It is a setting of the processor.
    public var cropRatio: Double? { fitting == .crop ? contentSizeRatio : nil }
}

extension Profile {
    /// The profile's requirements for the expanded rendition.
    public var renditionTarget: RenditionTarget {
        RenditionTarget(
            widthInPixels: max(1, Int((display.width * display.scale).rounded())),
            renderBudget: display.renderBudget, contentSizeRatio: initialContentSizeRatio,
            fitting: fitting)
    }
}
