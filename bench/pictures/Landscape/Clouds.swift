import Foundation

/// A cloud layer at one height, shaded by the density towards the sun.
struct Clouds: Sendable {
    /// Approximate share of the sky covered, from 0 to 1.
    var cover: Float
    /// Size of the largest clouds, relative to their height.
    var size: Float = 1
    /// Selects one sky.
    var seed: UInt32

    /// Composites the clouds over the light behind them.
    func laid(over light: Vector, _ direction: Vector, of sky: Sky) -> Vector {
        guard direction.y > 0.004 else { return light }
        let place = Plane(direction.x, direction.z) / (direction.y + 0.03) / size
        // Detail finer than a pixel would only alias towards the horizon.
        let octaves = min(max(4.5 + 2 * log2(direction.y * 8), 2), 8)
        let density = density(place, octaves: octaves)
        guard density > 0 else { return light }
        let towardsSun = Plane(sky.sun.x, sky.sun.z) / (sky.sun.y + 0.25) * 0.12
        let lit = exp(-3.5 * self.density(place + towardsSun, octaves: octaves))
        let thin = exp(-1.5 * density)
        // Thin clouds in front of the sun glow.
        let rim = pow(max(dot(direction, sky.sun), 0), 8) * exp(-5 * density)
        let cloud =
            sky.sunlight * (0.06 + 0.36 * lit + 0.14 * thin + 0.5 * rim)
            + sky.skylight * 0.4
        let opacity = (1 - exp(-4 * density)) * smoothstep(0, 0.10, direction.y)
        return mix(light, cloud, opacity)
    }

    private func density(_ place: Plane, octaves: Float) -> Float {
        let warp = Noise.fractal(place * 0.7, octaves: 2, seed: seed &+ 90) * 0.5
        let value = Noise.fractal(place + warp, octaves: octaves, seed: seed, gain: 0.52)
        return max(value + cover * 1.6 - 1, 0) * 1.8
    }
}
