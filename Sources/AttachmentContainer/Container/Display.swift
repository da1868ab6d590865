import Foundation

/// What a content extension has to show a picture with.
public struct Display: Sendable, Hashable {
    /// The width of the view, in points.
    public var width: Double
    /// Pixels a point.
    public var scale: Double
    /// The decoded bytes (width × height × 4) that may be spent on the picture.
    public var renderBudget: ByteCount
    /// Height divided by width that the view has before anything is known of the picture.
    ///
    /// A content extension declares it as `UNNotificationExtensionInitialContentSizeRatio`: given
    /// that, the view of a notification without a manifest stays as the system laid it out.
    public var initialContentSizeRatio: Double

    /// Makes a display.
    ///
    /// - Parameters:
    ///   - width: The width of the view, in points.
    ///   - scale: Pixels a point.
    ///   - renderBudget: The decoded bytes that may be spent. The default is 8 MiB.
    ///   - initialContentSizeRatio: Height divided by width while nothing is known. The default is
    ///     3 to 4, as a camera's pictures have it.
    public init(
        width: Double, scale: Double, renderBudget: ByteCount = .mebibytes(8),
        initialContentSizeRatio: Double = 0.75
    ) {
        self.width = width
        self.scale = scale
        self.renderBudget = renderBudget
        self.initialContentSizeRatio = initialContentSizeRatio
    }

    /// The width, in pixels.
    var pixelWidth: Double { (width * scale).rounded() }
}
