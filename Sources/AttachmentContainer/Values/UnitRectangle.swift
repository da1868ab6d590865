/// A part of a picture, in shares of its width and height, counted from its upper left corner.
///
/// It lies within the picture and is not empty.
public struct UnitRectangle: Hashable, Sendable, Codable {
    /// The distance of its left edge from the picture's, as a share of the width.
    public let x: Double
    /// The distance of its upper edge from the picture's, as a share of the height.
    public let y: Double
    /// Its width, as a share of the picture's.
    public let width: Double
    /// Its height, as a share of the picture's.
    public let height: Double

    /// Makes a part; nil when it is empty or goes beyond the picture.
    ///
    /// - Parameters:
    ///   - x: The distance of its left edge, as a share of the width.
    ///   - y: The distance of its upper edge, as a share of the height.
    ///   - width: Its width, as a share of the picture's.
    ///   - height: Its height, as a share of the picture's.
    public init?(x: Double, y: Double, width: Double, height: Double) {
        // Sums of shares may be off by the last place of a Double.
        let most = 1 + 1e-9
        guard x >= 0, y >= 0, width > 0, height > 0, x + width <= most, y + height <= most else {
            return nil
        }
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Reads a part.
    ///
    /// - Parameter decoder: Where its fields stand.
    /// - Throws: `DecodingError` when a field is missing, or it is empty or goes beyond the picture.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        guard
            let rectangle = UnitRectangle(
                x: try fields.decode(Double.self, forKey: .x),
                y: try fields.decode(Double.self, forKey: .y),
                width: try fields.decode(Double.self, forKey: .width),
                height: try fields.decode(Double.self, forKey: .height))
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .x, in: fields, debugDescription: "no part of a picture")
        }
        self = rectangle
    }
}
