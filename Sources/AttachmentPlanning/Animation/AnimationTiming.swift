/// How an animation plays, as its headers tell.
public struct AnimationTiming: Sendable, Hashable, Codable {
    /// How long it plays once, in seconds, as viewers show it; nil where the frames are spread over
    /// more of the file than is probed.
    public var seconds: Double?
    /// How often it is played; 0 for without end.
    public var loopCount: Int

    /// Makes a timing from its parts.
    ///
    /// - Parameters:
    ///   - seconds: How long it plays once, in seconds; nil when unknown.
    ///   - loopCount: How often it is played; 0 for without end.
    public init(seconds: Double?, loopCount: Int) {
        self.seconds = seconds
        self.loopCount = loopCount
    }

    /// How long viewers show a frame: a tenth of a second where the file has a hundredth or less,
    /// which Blink, WebKit and Gecko agree on.
    ///
    /// - Parameter milliseconds: What the file has, in thousandths of a second.
    /// - Returns: Thousandths of a second.
    package static func shown(_ milliseconds: Int) -> Int {
        milliseconds <= 10 ? 100 : milliseconds
    }
}
