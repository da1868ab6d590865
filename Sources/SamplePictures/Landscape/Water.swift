import Foundation

/// A level surface of water at height 0 that mirrors what stands above it.
struct Water: Sendable {
    /// What the water sends back of the light that enters it.
    var depthColour: Vector = [0.010, 0.045, 0.055]
    /// The slope of the ripples.
    ///
    /// The default is a calm day.
    var ripple: Float = 0.03
    /// Tells one lake's ripples from another's.
    ///
    /// The default is 1.
    var seed: UInt32 = 1

    /// Replaces the rows that show water by what they mirror.
    ///
    /// - Parameters:
    ///   - lights: The rows of one line, from the top down; those of the ground are complete.
    ///   - slopes: Of each row's line of sight.
    ///   - distances: Of the ground in each row, in metres ahead; infinity elsewhere.
    ///   - ahead: The way that the camera's line goes over one metre ahead.
    ///   - camera: Where it is seen from.
    ///   - sky: What stands above.
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
            // The camera's mirror image looks up from below the water, at the shore's foot twice
            // the camera's height lower.
            let mirrored = max(-slopes[row] + wave.slope * 2, foot) - 2 * foot
            let centre = (slopes[0] - mirrored) / pixel
            let spread = max(wave.unseen * 2 / pixel, 0.5)
            let image =
                centre < 0
                ? sky.light(Vector(ahead.x, mirrored, ahead.y).unit)
                : above.mean(from: centre - spread, to: centre + spread)
            // Schlick's approximation (1994) with water's 2 % at normal incidence.
            let grazing = 1 - max(-slopes[row] + wave.slope, 0) / (1 + slopes[row] * slopes[row])
            let mirror = 0.02 + 0.98 * pow(min(max(grazing, 0), 1), 5)
            lights[row] = mix(depth, image, mirror)
        }
    }

    /// The slope of the surface along the line of sight, and that of waves too small to be seen.
    private func wave(_ place: Plane, detail: Float) -> (slope: Float, unseen: Float) {
        var (slope, unseen, wavelength, octave) = (Float(0), Float(0), Float(6), seed)
        let gusts = Noise.fractal(place * [0.006, 0.0025], octaves: 3, seed: seed &+ 50)
        let breeze = ripple * (0.3 + 0.7 * smoothstep(-0.2, 0.5, gusts))
        while wavelength > 0.1 {
            let seen = smoothstep(1, 5, wavelength / detail) * breeze
            if seen > 0 {
                let p = Plane(place.x * 0.5, place.y).turned(by: Float(octave) * 0.4) / wavelength
                slope += Noise.sloped(p, seed: octave).value * seen
            }
            unseen += (breeze - seen) * 0.3
            wavelength *= 0.55
            octave &+= 1
        }
        return (slope, unseen)
    }
}

/// Sums over the rows of a line, so that the mean of any stretch costs two look-ups.
private struct RunningSums {
    private var sums = [Vector.zero]

    init(_ lights: ArraySlice<Vector>) {
        for light in lights { sums.append(sums[sums.count - 1] + light) }
    }

    /// The mean of a stretch, widened to whole rows and moved inside the line.
    func mean(from start: Float, to end: Float) -> Vector {
        let last = sums.count - 1
        let bottom = min(max(Int(end) + 1, 1), last)
        let top = min(max(Int(start), 0), bottom - 1)
        return (sums[bottom] - sums[top]) / Float(bottom - top)
    }
}
