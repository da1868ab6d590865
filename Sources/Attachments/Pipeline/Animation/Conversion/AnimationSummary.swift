/// Result of an animation conversion.
package struct AnimationSummary: Hashable, Sendable {
    package let width: Int
    package let height: Int
    package let frames: Int
    package let milliseconds: Int
    /// Number of playbacks; nil means endless.
    package let plays: Int?
    package let bytes: Int
    /// Number of the most telling frame in the original.
    package let tellingFrame: Int
    /// Number of the frame of the result that shows it, from 0.
    package let thumbnailFrame: Int
    /// Notes on lost quality for the manifest, each a sentence without its full stop.
    package let notes: [String]

    package var renderBytes: Int { width * height * 4 * frames }
}
