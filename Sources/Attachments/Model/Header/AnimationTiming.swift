/// Playback timing of an animation, from its headers.
public struct AnimationTiming: Sendable, Hashable, Codable {
    /// Duration of one loop, in seconds; nil when unknown or beyond the probed part of the file.
    public var seconds: Double?
    /// Number of loops; 0 means infinite.
    public var loopCount: Int

    /// Creates a timing; 0 loops mean infinite.
    public init(seconds: Double?, loopCount: Int) {
        self.seconds = seconds
        self.loopCount = loopCount
    }

    /// As in Blink, WebKit and Gecko: 100 ms in place of 10 ms or less.
    package static func shown(_ milliseconds: Int) -> Int {
        milliseconds <= 10 ? 100 : milliseconds
    }
}
