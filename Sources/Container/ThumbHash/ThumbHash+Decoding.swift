import Foundation

extension ThumbHash {
    /// Renders the placeholder, 32 pixels on the longer side, as sRGB with alpha, not
    /// premultiplied.
    public func raster() -> (size: PixelSize, rgba: [UInt8]) {
        let ratio = approximateRatio
        let size = PixelSize(
            width: ratio < 1 ? 32 : Int((32 / ratio).rounded()),
            height: ratio < 1 ? Int((32 * ratio).rounded()) : 32)
        let luminance = spectrum.luminance.samples(
            of: size, Spectrum.luminanceWaves(columns: spectrum.columns, rows: spectrum.rows))
        // The published decoder raises saturation by a quarter to compensate for the missing waves.
        let yellowBlue = spectrum.yellowBlue.samples(of: size, Spectrum.chromaWaves, gain: 1.25)
        let redGreen = spectrum.redGreen.samples(of: size, Spectrum.chromaWaves, gain: 1.25)
        let alpha = spectrum.alpha?.samples(of: size, Spectrum.alphaWaves)
        let rgba = (0..<size.pixelCount).flatMap { pixel in
            let colour = RGB(
                luminance: luminance[pixel], yellowBlue: yellowBlue[pixel],
                redGreen: redGreen[pixel])
            return [colour.red, colour.green, colour.blue, alpha?[pixel] ?? 1].map(Self.sample)
        }
        return (size, rgba)
    }
}

extension ThumbHash.Channel {
    fileprivate func samples(
        of size: PixelSize, _ waves: [(x: Int, y: Int)], gain: Double = 1
    ) -> [Double] {
        var samples = [Double](repeating: average, count: size.pixelCount)
        for (wave, amplitude) in zip(waves, amplitudes) {
            for row in 0..<size.height {
                let vertical =
                    2 * gain * amplitude
                    * cos(.pi / Double(size.height) * (Double(row) + 0.5) * Double(wave.y))
                for column in 0..<size.width {
                    samples[row * size.width + column] +=
                        vertical
                        * cos(.pi / Double(size.width) * (Double(column) + 0.5) * Double(wave.x))
                }
            }
        }
        return samples
    }
}
