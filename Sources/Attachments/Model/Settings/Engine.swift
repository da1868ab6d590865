/// Code that resizes, converts and encodes a decoded picture.
public enum Engine: String, Sendable, Codable, CaseIterable {
    /// Thimble's own: planes of the decoder are resampled row by row.
    ///
    /// For opaque pictures in grey, RGB and YCbCr, in half of libvips' time (`make throughput`).
    case rows
    /// libvips, for every picture.
    case libvips
    /// ImageIO and CoreGraphics, for every picture on Apple's platforms; without libraries to link.
    case imageIO = "imageio"
}
