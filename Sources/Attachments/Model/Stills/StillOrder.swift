public import AttachmentContainer

/// An order for a small still of AV1 within a number of bytes, for a picture inside a payload.
public struct StillOrder: Sendable, Hashable, Codable {
    /// Maximum length of the longer side, in pixels, from 1 to 256; smaller pictures are not enlarged.
    ///
    /// The default is 180: 60 points at 3 pixels, the thumbnail of a banner.
    public var side = 180
    /// Maximum length of the coded frame without its headers, in bytes, from 100.
    public var bytes: Int
    /// True to keep chroma at full size (4:4:4); the default is false (4:2:0).
    ///
    /// No device of Apple's has shown yet that ImageIO decodes it.
    public var keepsFullChroma = false

    /// Creates an order.
    ///
    /// - Parameter bytes: The maximum length of the coded frame, in bytes.
    public init(bytes: Int) { self.bytes = bytes }

    /// Checks every field against its range.
    ///
    /// - Throws: `SettingsError` naming the first field at fault and its range.
    public func validate() throws(SettingsError) {
        try SettingsError.check(1...Self.longestSide ~= side, "side", "from 1 to 256 pixels")
        try SettingsError.check(
            Self.fewestBytes...Self.mostBytes ~= bytes, "bytes", "from 100 to 8192 bytes")
    }

    /// Sides of one byte in the format of inline pictures.
    package static let longestSide = 256
    /// Fewer bytes show no picture.
    package static let fewestBytes = 100
    /// Twice the longest payload of 4,096 bytes.
    package static let mostBytes = 8192
}
