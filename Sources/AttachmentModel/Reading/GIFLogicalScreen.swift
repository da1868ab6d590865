/// Logical screen of a GIF (GIF89a, section 18).
package enum GIFLogicalScreen {
    /// One pixel if the size is implausible: some encoders wrote the size of their display, or
    /// nothing.
    ///
    /// libnsgif then uses the first frame alone. The sizes are those in its `nsgif_data_scan`.
    package static func plausibleSize(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        switch (width, height) {
        case (0, _), (_, 0), (2049..., _), (_, 2049...): (1, 1)
        case (640, 480), (640, 512), (800, 600), (1024, 768), (1280, 1024), (1600, 1200): (1, 1)
        default: (width, height)
        }
    }
}
