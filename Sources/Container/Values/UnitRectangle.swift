/// A part of a picture, not empty, in fractions of its width and height from the upper left corner.
public struct UnitRectangle: Hashable, Sendable, Codable {
    /// Left edge, as a fraction of the picture's width.
    public let x: Double
    /// Upper edge, as a fraction of the picture's height.
    public let y: Double
    /// Width, as a fraction of the picture's.
    public let width: Double
    /// Height, as a fraction of the picture's.
    public let height: Double

    /// Creates a part; nil if it is empty or extends beyond the picture.
    public init?(x: Double, y: Double, width: Double, height: Double) {
        // Allows for rounding errors in sums of fractions.
        let limit = 1 + 1e-9
        guard x >= 0, y >= 0, width > 0, height > 0, x + width <= limit, y + height <= limit else {
            return nil
        }
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Decodes a part; fails if it is empty or extends beyond the picture.
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
                forKey: .x, in: fields, debugDescription: "invalid part of a picture")
        }
        self = rectangle
    }
}
