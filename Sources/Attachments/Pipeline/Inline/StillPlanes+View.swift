import AttachmentContainer

extension StillPlanes {
    /// Converts a reduced picture of RGB or grey; transparent parts are shown on white, as JPEG would.
    ///
    /// `bytes` is the length for which halved chroma is fitted.
    init(of view: PictureView, halvesChroma: Bool, atMost bytes: Int) {
        let full = Self.fullPlanes(of: view)
        guard halvesChroma else {
            self.init(view.size, halvesChroma: false, samples: full)
            return
        }
        var halved = full
        for plane in 1...2 { halved[plane] = HalvedChroma(full[plane], of: view.size).samples }
        self.init(view.size, halvesChroma: true, samples: halved)
        if !view.picture.colours.isGrey, Self.affordsFitting(bytes, of: view.size) {
            fitHalvedChroma(to: full)
        }
    }

    private static func fullPlanes(of view: PictureView) -> [[UInt8]] {
        let (colours, bands) = (view.picture.colours, view.picture.colours.bands)
        let count = view.size.pixelCount
        var planes = [[UInt8]](repeating: [UInt8](repeating: 128, count: count), count: 3)
        var row = [UInt8](repeating: 0, count: view.size.width * bands)
        for y in 0..<view.size.height {
            row.withUnsafeMutableBufferPointer { view.read(plane: 0, y, into: $0) }
            for x in 0..<view.size.width {
                let first = x * bands
                let alpha = colours.hasAlpha ? Double(row[first + bands - 1]) / 255 : 1
                func shown(_ band: Int) -> Double {
                    Double(row[first + band]) * alpha + 255 * (1 - alpha)
                }
                let index = y * view.size.width + x
                guard !colours.isGrey else {
                    planes[0][index] = byte(shown(0))
                    continue
                }
                let (red, green, blue) = (shown(0), shown(1), shown(2))
                // ITU-T T.871, section 7: full range, BT.601.
                planes[0][index] = byte(0.299 * red + 0.587 * green + 0.114 * blue)
                planes[1][index] = byte(
                    128 - 0.168736 * red - 0.331264 * green + 0.5 * blue)
                planes[2][index] = byte(
                    128 + 0.5 * red - 0.418688 * green - 0.081312 * blue)
            }
        }
        return planes
    }

    private static func byte(_ value: Double) -> UInt8 {
        UInt8(min(max(value.rounded(), 0), 255))
    }
}
