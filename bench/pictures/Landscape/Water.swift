import Foundation

/// A level water surface at height 0 that reflects the landscape.
struct Water: Sendable {
    /// Share of the light scattered back from below the surface.
    var depthColour: Vector = [0.010, 0.045, 0.055]
    /// Slope of the ripples.
    ///
    /// The default is a calm day.
    var ripple: Float = 0.03
    /// Selects the ripples.
    var seed: UInt32 = 1

    /// Fills the rows of the water with reflections.
    func fill(
        _ lights: inout [Vector], _ slopes: [Float], _ distances: [Float], _ ahead: Plane,
        camera: Camera, sky: some Firmament
    ) {
        guard let first = slopes.firstIndex(where: { $0 < 0 }), first > 0 else { return }
        let pixel = slopes[0] - slopes[1]
        let foot = camera.height / (distances.last(where: \.isFinite) ?? camera.range.upperBound)
        let shore = slopes.firstIndex { $0 <= -foot } ?? slopes.count
        let above = RunningSums(lights[..<shore])
        let depth = depthColour * (sky.skylight * 1.2 + sky.sunlight * 0.3)
        for row in first..<slopes.count where !distances[row].isFinite {
            let distance = camera.height / -slopes[row]
            let wave = wave(ahead * distance, detail: distance * distance / camera.height * pixel)
            // Rays from the camera's mirror image start at twice its height below the shore.
            let mirrored = max(-slopes[row] + wave.slope * 2, foot) - 2 * foot
            let centre = (slopes[0] - mirrored) / pixel
            let spread = max(wave.unseen * 2 / pixel, 0.5)
            let image =
                centre < 0
                ? sky.light(Vector(ahead.x, mirrored, ahead.y).unit)
                : above.mean(from: centre - spread, to: centre + spread)
            // Schlick's approximation (1994) with 2 % at normal incidence, as for water.
            let grazing = 1 - max(-slopes[row] + wave.slope, 0) / (1 + slopes[row] * slopes[row])
            let mirror = 0.02 + 0.98 * pow(min(max(grazing, 0), 1), 5)
            lights[row] = mix(depth, image, mirror)
        }
    }

    /// Slope along the line of sight, and slope of waves too small to resolve.
    private func wave(_ place: Plane, detail: Float) -> (slope: Float, unseen: Float) {
        var (slope, unseen, wavelength, octave) = (Float(0), Float(0), Float(6), seed)
        let gusts = Noise.fractal(place * [0.006, 0.0025], octaves: 3, seed: seed &+ 50)
        let breeze = ripple * (0.3 + 0.7 * smoothstep(-0.2, 0.5, gusts))
        while wavelength > 0.1 {
            let seen = smoothstep(1, 5, wavelength / detail) * breeze
            if seen > 0 {
                let p = Plane(place.x * 0.5, place.y).rotated(by: Float(octave) * 0.4) / wavelength
                slope += Noise.sloped(p, seed: octave).value * seen
            }
            unseen += (breeze - seen) * 0.3
            wavelength *= 0.55
            octave &+= 1
        }
        return (slope, unseen)
    }
}

/// Prefix sums over the rows of a line, for means in constant time.
private struct RunningSums {
    private var sums = [Vector.zero]

    init(_ lights: ArraySlice<Vector>) {
        for light in lights { sums.append(sums[sums.count - 1] + light) }
    }

    /// Mean of a stretch, widened to whole rows and clamped to the line.
    func mean(from start: Float, to end: Float) -> Vector {
        let last = sums.count - 1
        let bottom = min(max(Int(end) + 1, 1), last)
        let top = min(max(Int(start), 0), bottom - 1)
        return (sums[bottom] - sums[top]) / Float(bottom - top)
    }
}
