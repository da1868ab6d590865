/// Logical screen of a GIF (GIF89a, section 18).
package enum GIFLogicalScreen {
    /// One pixel if implausible, as in libnsgif's `nsgif_data_scan`, which then uses the first
    /// frame alone.
    package static func plausibleSize(_ width: Int, _ height: Int) -> (width: Int, height: Int) {
        switch (width, height) {
        case (0, _), (_, 0), (2049..., _), (_, 2049...): (1, 1)
        case (640, 480), (640, 512), (800, 600), (1024, 768), (1280, 1024), (1600, 1200): (1, 1)
        default: (width, height)
        }
    }
}
