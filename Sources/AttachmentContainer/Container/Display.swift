import Foundation

/// The view in which a content extension shows a picture.
public struct Display: Sendable, Hashable {
    /// The width of the view, in points.
    public var width: Double
    /// Pixels per point.
    public var scale: Double
    /// Limit on decoded bytes (width × height × 4) of the picture.
    public var renderBudget: ByteCount
    /// Height divided by width of the view while the picture's ratio is unknown.
    ///
    /// Pass the extension's `UNNotificationExtensionInitialContentSizeRatio`: without a manifest
    /// the view then keeps the system's layout.
    public var initialContentSizeRatio: Double

    /// Creates a display.
    ///
    /// - Parameters:
    ///   - width: The width of the view, in points.
    ///   - scale: Pixels per point.
    ///   - renderBudget: Limit on decoded bytes. The default is 8 MiB.
    ///   - initialContentSizeRatio: Height divided by width while the picture's ratio is unknown.
    ///     The default is 0.75, a camera's 4:3.
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
