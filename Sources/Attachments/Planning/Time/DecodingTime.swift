package import AttachmentContainer
package import AttachmentModel

/// Estimated processor time of decoding.
package enum DecodingTime {
    /// Maximum ratio of an estimate to the time left.
    ///
    /// Estimates are for one core of the benchmark machine. Work that a machine twice as fast could
    /// finish is attempted; its deadline ends it otherwise.
    package static let margin = 2.0

    /// Estimate for a plan whose decoder is not `animation`; an embedded preview counts alone.
    package static func estimate(of plan: Plan) -> Duration {
        let header = plan.decodedHeader
        let pixels = header.coding.decodedPixels(of: header)
        return estimate(of: header, pixels: pixels, tiles: tiles(of: header))
    }

    /// Estimate for decoded pixels, and for tiles that are decoded apart.
    package static func estimate(
        of header: AttachmentHeader, pixels: Int, tiles: Double = 0
    ) -> Duration {
        duration(decoding(header, pixels: Double(pixels)) + tiles * header.coding.rate.tile)
    }

    /// Estimate for the drawn pixels of all frames, with as much time for each pass after the first.
    ///
    /// A canvas larger than the cap is written to disk and read again for each frame of the first.
    ///
    /// `converted` are the reduced pixels that are converted from a profile or tags.
    package static func estimate(
        ofAnimation header: AttachmentHeader, pixels: Int, passes: Int, converted: Int = 0,
        cap: ByteCount
    ) -> Duration {
        let canvasBytes = Double(header.canvas.storedSize.pixelCount) * Animation.pixelBytes
        let isOnDisk = canvasBytes > Double(cap.bytes)
        let pixels = Double(pixels)
        let pass = decoding(header, pixels: pixels) + pixels * Animation.pixel
        let conversion =
            header.canvas.convertsColours ? Double(converted) * Animation.conversion : 0
        return duration(
            Double(passes) * pass + (isOnDisk ? pixels * Animation.pixelOnDisk : 0) + conversion)
    }

    private static func decoding(_ header: AttachmentHeader, pixels: Double) -> Double {
        let rate = header.coding.rate
        let bytes = min(Double(header.fileBytes.bytes), pixels * rate.bytesPerPixel)
        return pixels * rate.pixel + bytes * rate.byte
    }

    /// Tiles of a grid and of its alpha; 0 for other layouts.
    private static func tiles(of header: AttachmentHeader) -> Double {
        guard let tile = header.coding.unitSize, tile.width > 0, tile.height > 0 else { return 0 }
        let size = header.codedSize
        let across = (Double(size.width) / Double(tile.width)).rounded(.up)
        let down = (Double(size.height) / Double(tile.height)).rounded(.up)
        return max(0, across * down) * (header.hasAlpha ? 2 : 1)
    }

    /// Clamped to a year, because a duration does not hold every number.
    private static func duration(_ nanoseconds: Double) -> Duration {
        .seconds(min(nanoseconds / 1e9, 3e7))
    }

    /// Nanoseconds per drawn pixel besides decoding (`bench/README.md`, "Decoding time").
    private enum Animation {
        /// Drawing, reducing and comparing.
        static let pixel = 20.0
        /// Page faults and write-out of a canvas in a scratch file larger than the cap.
        static let pixelOnDisk = 40.0
        /// Conversion of a reduced pixel by a table of a profile; by primaries it takes half.
        static let conversion = 40.0
        static let pixelBytes = 4.0
    }
}
