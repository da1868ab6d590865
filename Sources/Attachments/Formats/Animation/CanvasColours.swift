package import AttachmentModel

/// Meaning of the samples on an animation's canvas, by default sRGB.
///
/// The same facts as of the rows of a still (`DecodedRows`), before any conversion.
package struct CanvasColours: Sendable {
    /// True if every frame is grey: red, green and blue of a pixel are one level.
    package var isGrey = false
    /// ICC profile of the samples, or nil.
    package var profile: [UInt8]?
    /// Colours without a profile, after any tone mapping; nil for sRGB.
    package var tags: ColourTags?
    /// Losses to note in the manifest.
    package var notes: [String] = []
}
