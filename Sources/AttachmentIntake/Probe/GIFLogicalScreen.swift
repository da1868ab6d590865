/// The logical screen of a GIF (GIF89a, section 18), as far as it is to be believed.
package enum GIFLogicalScreen {
    /// The size of the canvas as far as the screen says it.
    ///
    /// Some encoders wrote the size of the display that they ran on, or nothing. libnsgif then goes
    /// by the first picture alone, and so do we, for the same picture: sizes are those of its
    /// `nsgif_data_scan`.
    ///
    /// - Parameters:
    ///   - width: What the file says, in pixels.
    ///   - height: What the file says, in pixels.
    /// - Returns: The same, or one pixel where it is not to be believed.
    package static func plausibleSize(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        switch (width, height) {
        case (0, _), (_, 0), (2049..., _), (_, 2049...): (1, 1)
        case (640, 480), (640, 512), (800, 600), (1024, 768), (1280, 1024), (1600, 1200): (1, 1)
        default: (width, height)
        }
    }
}
