/// Limits on an animation; larger ones are refused, because every frame costs time.
public struct AnimationLimits: Sendable, Hashable, Codable {
    /// Maximum number of frames; by default 3000, two minutes of video.
    public var frames = 3000
    /// Maximum duration of one loop, in seconds; by default five minutes.
    public var seconds = 300.0
    /// Maximum number of canvas pixels; by default 40 million, 160 MB of scratch space.
    public var pixels = 40_000_000
    /// Maximum number of pixels of all frames, unclipped; by default four billion, half a minute.
    public var drawnPixels = 4_000_000_000

    /// Creates limits with default values.
    public init() {}
}
