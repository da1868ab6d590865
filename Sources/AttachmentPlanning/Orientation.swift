public import AttachmentContainer

/// How the stored rows and columns of a picture must be turned to stand upright.
///
/// The raw values are those of the Exif orientation tag (Exif 2.32, tag 0x0112). HEIF rotation and
/// mirror properties (ISO/IEC 23008-12, `irot` and `imir`) are expressed in the same eight values.
public enum Orientation: Int, Sendable, Codable, CaseIterable {
    /// Already upright.
    case upright = 1
    /// Mirrored left to right.
    case mirrored = 2
    /// Turned by 180 degrees.
    case rotated180 = 3
    /// Mirrored top to bottom.
    case flipped = 4
    /// Mirrored along the main diagonal.
    case transposed = 5
    /// To be turned by 90 degrees clockwise.
    case rotated90 = 6
    /// Mirrored along the other diagonal.
    case transversed = 7
    /// To be turned by 270 degrees clockwise.
    case rotated270 = 8

    /// Whether standing upright exchanges width and height.
    public var exchangesSides: Bool { rawValue >= 5 }

    /// The size of the upright picture.
    ///
    /// - Parameter stored: The size as stored, in pixels.
    /// - Returns: The size as seen, in pixels.
    public func upright(_ stored: PixelSize) -> PixelSize {
        exchangesSides ? stored.transposed : stored
    }
}
