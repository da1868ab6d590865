/// What an animation may ask for, beyond which it is refused: each frame costs time.
public struct AnimationLimits: Sendable, Hashable, Codable {
    /// The most frames.
    ///
    /// The default is 3000: two minutes of video.
    public var frames = 3000
    /// The longest that it may play once, in seconds.
    ///
    /// The default is five minutes.
    public var seconds = 300.0
    /// The most pixels of the canvas.
    ///
    /// The default is 40 million, 160 MB of scratch room.
    public var pixels = 40_000_000
    /// The most pixels of all frames together, with those that are cut off.
    ///
    /// The default is four thousand million, half a minute of decoding.
    public var drawnPixels = 4_000_000_000

    /// Makes limits with every default.
    public init() {}
}
