import AttachmentContainer

extension StillPlanes {
    /// Converts a reduced picture; transparent parts are shown on white, as JPEG would.
    init(of view: PictureView, halvesChroma: Bool) {
        let colours = view.picture.colours
        guard colours != .yCbCr420 else {
            // A picture held as YCbCr has halved chroma of the same kind (ITU-T T.871, section 7).
            self.init(
                view.size, halvesChroma: true,
                samples: view.planeSizes.indices.map { Self.plane($0, of: view) })
            return
        }
        var full = Self.fullPlanes(of: view)
        if halvesChroma {
            for plane in 1...2 { full[plane] = Self.halved(full[plane], of: view.size) }
        }
        self.init(view.size, halvesChroma: halvesChroma, samples: full)
    }

    private static func plane(_ index: Int, of view: PictureView) -> [UInt8] {
        let size = view.planeSizes[index]
        var samples = [UInt8](repeating: 0, count: size.pixelCount)
        samples.withUnsafeMutableBufferPointer { samples in
            for y in 0..<size.height {
                let row = samples[y * size.width..<(y + 1) * size.width]
                view.read(plane: index, y, into: UnsafeMutableBufferPointer(rebasing: row))
            }
        }
        return samples
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

    /// Averages of two by two samples; an odd last column or row repeats.
    private static func halved(_ plane: [UInt8], of size: PixelSize) -> [UInt8] {
        var halved: [UInt8] = []
        halved.reserveCapacity((size.width + 1) / 2 * ((size.height + 1) / 2))
        for y in stride(from: 0, to: size.height, by: 2) {
            let (above, below) = (y * size.width, min(y + 1, size.height - 1) * size.width)
            for x in stride(from: 0, to: size.width, by: 2) {
                let right = min(x + 1, size.width - 1)
                let sum =
                    Int(plane[above + x]) + Int(plane[above + right]) + Int(plane[below + x])
                    + Int(plane[below + right])
                halved.append(UInt8((sum + 2) / 4))
            }
        }
        return halved
    }

    private static func byte(_ value: Double) -> UInt8 {
        UInt8(min(max(value.rounded(), 0), 255))
    }
}
