import AttachmentContainer
import Foundation

/// How linear light becomes the samples of a file, as a film is developed.
struct Development: Sendable {
    /// The primaries that the samples are relative to; the transfer function is the same for both.
    enum Gamut: Sendable { case sRGB, displayP3 }

    /// What light is multiplied by before the tone curve.
    ///
    /// The default is 1.
    var exposure: Float = 1
    /// The strength of the grain in the middle tones, as a share of the full range.
    ///
    /// The default is 0.01.
    var grain: Float = 0.01
    /// What the samples are relative to.
    ///
    /// The default is sRGB.
    var gamut = Gamut.sRGB
    /// Whether there is only luminance.
    ///
    /// The default is false.
    var monochrome = false

    /// The samples of pictures, one below the other.
    ///
    /// - Parameters:
    ///   - rasters: Of one width.
    ///   - bands: Samples a pixel: 1 for the red one alone, 3 without alpha, 4 with it.
    ///   - white: The largest sample.
    /// - Returns: Rows from top to bottom, interleaved.
    func developed<Sample: FixedWidthInteger & Sendable>(
        _ rasters: [Raster], bands: Int, white: Float
    ) async -> [Sample] {
        var all: [Sample] = []
        for raster in rasters {
            let rows = await concurrentMap(raster.size.height) { y in
                var row: [Sample] = []
                row.reserveCapacity(raster.size.width * bands)
                for x in 0..<raster.size.width {
                    let samples = self.samples(raster[x, y], x: x, y: y) * white
                    for band in 0..<bands { row.append(Sample(samples[band].rounded())) }
                }
                return row
            }
            all += rows.joined()
        }
        return all
    }

    /// The samples of one pixel.
    ///
    /// - Parameters:
    ///   - light: Linear light times coverage, and coverage.
    ///   - x: The pixel's column, for the grain.
    ///   - y: The pixel's row, for the grain.
    /// - Returns: Red, green, blue and alpha from 0 to 1, not premultiplied.
    private func samples(_ light: SIMD4<Float>, x: Int, y: Int) -> SIMD4<Float> {
        var colour = Vector(light.x, light.y, light.z) * (exposure / max(light.w, 1e-4))
        if monochrome {
            // A yellow filter before the lens: skies turn darker than by luminance alone.
            colour = Vector(repeating: dot(colour, Vector(0.42, 0.52, 0.06)))
        }
        colour = Self.toneMapped(colour)
        if gamut == .sRGB { colour = Self.insideGamut(Self.sRGB(fromDisplayP3: colour)) }
        let encoded = Vector(
            Self.encoded(colour.x), Self.encoded(colour.y), Self.encoded(colour.z))
        let middle = encoded * (1 - encoded) * 4
        let grained = encoded + middle * (grain * Self.grain(x, y))
        return SIMD4(grained.clamped(lowerBound: .zero, upperBound: .one), min(light.w, 1))
    }

    /// The filmic curve of Narkowicz, "ACES Filmic Tone Mapping Curve" (2015).
    private static func toneMapped(_ x: Vector) -> Vector {
        let x = x.clamped(lowerBound: .zero, upperBound: Vector(repeating: 100))
        return (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)
    }

    /// From the primaries of SMPTE EG 432-1 with D65 to those of IEC 61966-2-1.
    private static func sRGB(fromDisplayP3 c: Vector) -> Vector {
        Vector(1.2249, -0.0421, -0.0196) * c.x + Vector(-0.2249, 1.0421, -0.0786) * c.y
            + Vector(0, 0, 1.0982) * c.z
    }

    /// Takes as much from the colourfulness as brings every primary between 0 and 1; a plain cut
    /// would flatten a red petal.
    private static func insideGamut(_ colour: Vector) -> Vector {
        // The luminance of IEC 61966-2-1.
        let grey = min(max(dot(colour, Vector(0.2126, 0.7152, 0.0722)), 0), 1)
        let (low, high) = (colour.min(), colour.max())
        let room = min(low < 0 ? grey / (grey - low) : 1, high > 1 ? (1 - grey) / (high - grey) : 1)
        return mix(Vector(repeating: grey), colour, room)
    }

    /// The transfer function of IEC 61966-2-1, which Display P3 shares.
    private static func encoded(_ x: Float) -> Float {
        x <= 0.0031308 ? max(x, 0) * 12.92 : 1.055 * pow(min(x, 1), 1 / 2.4) - 0.055
    }

    /// Grain a pixel and a half wide, from about -1 to 1.
    private static func grain(_ x: Int, _ y: Int) -> Float {
        Noise.fractal(Plane(Float(x), Float(y)) * 0.63, octaves: 2, seed: 0x6761)
    }
}
