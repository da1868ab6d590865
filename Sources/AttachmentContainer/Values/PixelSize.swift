/// The width and height of a picture, in pixels.
///
/// Both sides of a size read from a picture are at least 1. Arithmetic on a size never traps, whatever
/// a header claims: products saturate.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The number of columns, in pixels.
    public let width: Int
    /// The number of rows, in pixels.
    public let height: Int

    /// Makes a size from its two sides.
    ///
    /// - Parameters:
    ///   - width: Columns, in pixels.
    ///   - height: Rows, in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size of what is only heard: nothing.
    public static let zero = PixelSize(width: 0, height: 0)

    /// Width times height, saturating at `Int.max`.
    public var pixelCount: Int {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : count
    }

    /// What one decoded frame costs the process that shows it: four bytes a pixel, saturating.
    public var decodedBytes: ByteCount {
        let (bytes, overflow) = pixelCount.multipliedReportingOverflow(by: 4)
        return ByteCount(overflow ? .max : bytes)
    }

    /// Height divided by width, as `UNNotificationExtensionInitialContentSizeRatio` counts it.
    public var heightToWidthRatio: Double {
        width == 0 ? 0 : Double(height) / Double(width)
    }

    /// The same size with its sides exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// `WIDTHxHEIGHT`, for example `1320x990`.
    public var description: String { "\(width)x\(height)" }
}
