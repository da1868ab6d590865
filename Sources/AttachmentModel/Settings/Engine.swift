/// Code that resizes, converts and encodes a decoded picture.
public enum Engine: String, Sendable, Codable, CaseIterable {
    /// Thimble's own: planes of the decoder are resampled row by row.
    ///
    /// A third of libvips' time and memory, for opaque pictures in grey, RGB and YCbCr.
    case rows
    /// libvips, for every picture.
    case libvips
}
