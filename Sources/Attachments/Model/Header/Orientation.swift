public import AttachmentContainer

/// Orientation of stored rows and columns.
///
/// The raw values equal the Exif orientation tag's (Exif 2.32, tag 0x0112). HEIF's rotation and
/// mirror properties (ISO/IEC 23008-12, `irot` and `imir`) map to the same eight values.
public enum Orientation: Int, Sendable, Codable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case rotated180 = 3
    /// Mirrored top to bottom.
    case flipped = 4
    /// Mirrored along the main diagonal; swaps rows and columns.
    case transposed = 5
    /// Needs a rotation by 90 degrees clockwise.
    case rotated90 = 6
    /// Mirrored along the antidiagonal.
    case transversed = 7
    /// Needs a rotation by 270 degrees clockwise.
    case rotated270 = 8

    /// True if orientation exchanges width and height.
    public var exchangesSides: Bool { rawValue >= 5 }

    /// Stored directions that are read backward, before any exchange of the sides.
    package var reversals: (across: Bool, down: Bool) {
        switch self {
        case .upright, .transposed: (false, false)
        case .mirrored, .rotated270: (true, false)
        case .flipped, .rotated90: (false, true)
        case .rotated180, .transversed: (true, true)
        }
    }

    /// Size of the upright picture, in pixels, for a stored size.
    public func upright(_ stored: PixelSize) -> PixelSize {
        exchangesSides ? stored.transposed : stored
    }
}
