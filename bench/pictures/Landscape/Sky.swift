import Foundation

/// A clear sky lit by the sun, optionally with clouds.
///
/// Single scattering, with an air mass that depends only on the elevation. That is fast, and close
/// enough for blue noons and red evenings.
struct Sky: Firmament {
    let sun: Vector
    let sunlight: Vector
    private(set) var skylight = Vector.zero

    private let haze: Float
    private let clouds: Clouds?

    /// Optical depth of scattering, straight up.
    private let depth: Vector
    private let loss: Vector

    /// Rayleigh scattering at 680, 550 and 440 nm straight up: 5.8, 13.5 and 33.1 per million
    /// metres (Bucholtz, "Rayleigh-scattering calculations", 1995) over a scale height of 8 km.
    private static let rayleigh = Vector(0.046, 0.108, 0.265)

    /// Absorption by 300 Dobson units of ozone at the same wavelengths.
    ///
    /// Without it evenings would be green.
    private static let ozone = Vector(0.012, 0.030, 0.001)

    /// Sunlight above the air, in units of the exposure.
    private static let brightness: Float = 15

    init(sun: Vector, haze: Float = 0.03, clouds: Clouds? = nil) {
        self.sun = sun.unit
        self.haze = haze
        self.clouds = clouds
        depth = Self.rayleigh + haze
        loss = (depth + Self.ozone) * Self.airMass(self.sun.y)
        // Diffuse reflection: 0.23 is the share in one direction.
        sunlight = exp(-loss) * (Self.brightness * 0.23)
        skylight = (air(Vector(0, 1, 0)) * 2 + air(Vector(0.6, 0.3, -0.74))) * 0.45
    }

    func light(_ direction: Vector) -> Vector {
        let disc = smoothstep(0.99990, 0.99996, dot(direction, sun))
        let clear = air(direction) + sunlight * (60 * disc)
        return clouds?.laid(over: clear, direction, of: self) ?? clear
    }

    func air(_ direction: Vector) -> Vector {
        let height = max(direction.y, 0)
        let cosine = dot(direction, sun)
        // Forward scattering by haze (Henyey and Greenstein, 1941) with asymmetry 0.76.
        let forward = 0.42 / pow(1.58 - 1.52 * cosine, 1.5)
        let phase = Self.rayleigh * (0.06 * (1 + cosine * cosine)) + haze * 0.08 * forward
        // Scattering happens high up, where sunlight has crossed less air.
        let once = exp(-loss * mix(0.6, 0.3, height.squareRoot()))
        // Multiply scattered light comes from all sides and keeps its blue.
        let reach = mix(once, exp(-loss * 0.12), 0.25)
        return reach * phase / depth * (1 - exp(-depth * Self.airMass(height))) * Self.brightness
    }

    /// Air mass in a direction, relative to straight up (Rozenberg, "Twilight", 1966).
    private static func airMass(_ sine: Float) -> Float {
        1 / (max(sine, 0) + 0.025 * exp(-11 * max(sine, 0)))
    }
}
