/// What came out of converting an animation.
package struct AnimationSummary: Hashable, Sendable {
    /// Pixels in a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// How many frames there are.
    package let frames: Int
    /// How long it plays once, in thousandths of a second.
    package let milliseconds: Int
    /// How often it is played; nil for without end.
    package let plays: Int?
    /// The length of the output, in bytes.
    package let bytes: Int
    /// The number of the most telling frame, among the frames of the original.
    package let tellingFrame: Int
    /// What was given up and why, a sentence each without its full stop, for the manifest.
    package let notes: [String]

    /// What all frames take when they are decoded, in bytes.
    package var renderBytes: Int { width * height * 4 * frames }
}
