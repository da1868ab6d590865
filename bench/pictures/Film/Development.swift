import AttachmentContainer
import Foundation

/// Conversion of linear light to samples.
struct Development: Sendable {
    /// Primaries of the samples; the transfer function is the same for both.
    enum Gamut: Sendable { case sRGB, displayP3 }

    /// Factor applied before the tone curve.
    var exposure: Float = 1
    /// Strength of the grain in the midtones, as a share of the full range.
    var grain: Float = 0.01
    var gamut = Gamut.sRGB
    /// True for black and white.
    var monochrome = false

    /// Samples of the pictures, stacked vertically.
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

    private func samples(_ light: SIMD4<Float>, x: Int, y: Int) -> SIMD4<Float> {
        var colour = Vector(light.x, light.y, light.z) * (exposure / max(light.w, 1e-4))
        if monochrome {
            // As through a yellow filter, which darkens skies.
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

    /// From the primaries of SMPTE EG 432-1 with D65 to the primaries of IEC 61966-2-1.
    private static func sRGB(fromDisplayP3 c: Vector) -> Vector {
        Vector(1.2249, -0.0421, -0.0196) * c.x + Vector(-0.2249, 1.0421, -0.0786) * c.y
            + Vector(0, 0, 1.0982) * c.z
    }

    /// Desaturates colours until every primary is between 0 and 1.
    ///
    /// Clipping would flatten a red petal.
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
