/// The width and height of a picture, in pixels.
///
/// Both sides of a size read from a picture are at least 1. Products saturate, so arithmetic never
/// traps on an untrusted header.
public struct PixelSize: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Number of columns, in pixels.
    public let width: Int
    /// Number of rows, in pixels.
    public let height: Int

    /// Creates a size, in pixels.
    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The size of a sound.
    public static let zero = PixelSize(width: 0, height: 0)

    /// Width times height, saturating at `Int.max`.
    public var pixelCount: Int {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : count
    }

    /// Bytes of one decoded frame in the displaying process: four a pixel, saturating.
    public var decodedBytes: ByteCount {
        let (bytes, overflow) = pixelCount.multipliedReportingOverflow(by: 4)
        return ByteCount(overflow ? .max : bytes)
    }

    /// Height divided by width, like `UNNotificationExtensionInitialContentSizeRatio`; 0 if the
    /// width is 0.
    public var heightToWidthRatio: Double {
        width == 0 ? 0 : Double(height) / Double(width)
    }

    /// The size with its sides exchanged.
    public var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// `WIDTHxHEIGHT`, for example `1320x990`.
    public var description: String { "\(width)x\(height)" }
}
