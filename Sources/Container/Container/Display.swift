import Foundation

/// The view in which a content extension shows a picture.
public struct Display: Sendable, Hashable {
    /// The width of the view, in points.
    public var width: Double
    /// Pixels per point.
    public var scale: Double
    /// Limit on decoded bytes (width × height × 4) of the picture.
    public var renderBudget: ByteCount
    /// Height divided by width while the picture's is unknown
    /// (`UNNotificationExtensionInitialContentSizeRatio`).
    public var initialContentSizeRatio: Double

    /// Creates a display; by default with a render budget of 8 MiB and the ratio of a camera, 4:3.
    public init(
        width: Double, scale: Double, renderBudget: ByteCount = .mebibytes(8),
        initialContentSizeRatio: Double = 0.75
    ) {
        self.width = width
        self.scale = scale
        self.renderBudget = renderBudget
        self.initialContentSizeRatio = initialContentSizeRatio
    }

    var pixelWidth: Double { (width * scale).rounded() }
}
