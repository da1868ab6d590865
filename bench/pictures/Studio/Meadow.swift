import Foundation

/// A meadow against the evening sun, seen from the height of its flowers.
///
/// Grass is drawn in rows from near to far, blurred by their distance from the plane in focus.
struct Meadow: PointScene {
    private static let eye: Float = 0.52
    private static let focalLength: Float = 1.9
    private static let horizon: Float = 0.10
    private static let focus: Float = 2.3
    private static let layers = 64

    func light(at place: Plane) -> SIMD4<Float> {
        let slope = Plane(place.x, place.y - Self.horizon) / Self.focalLength
        var (light, open) = (Vector.zero, Float(1))
        for layer in 0..<Self.layers where open > 0.01 {
            let distance = 0.75 * pow(24, Float(layer) / Float(Self.layers))
            let p = Plane(slope.x * distance, Self.eye + slope.y * distance)
            guard p.y < 0.8, p.y > -0.4 else { continue }
            let blur = abs(1 / distance - 1 / Self.focus) * distance * 0.016 + distance * 0.0004
            let row = Row(index: layer, blur: blur)
            for spot in [row.flower(p), row.grass(p)] where spot.w > 0 {
                let veiled = mix(
                    Vector(spot.x, spot.y, spot.z), Vector(0.48, 0.34, 0.12),
                    1 - Foundation.exp(-distance * 0.045))
                light += veiled * (spot.w * open)
                open *= 1 - spot.w
            }
        }
        return SIMD4(light + background(slope) * open, 1)
    }

    /// Woods and the evening sky, far out of focus.
    private func background(_ slope: Plane) -> Vector {
        let sun = Plane(0.11, 0.17)
        let apart = (slope - sun).length
        let glow =
            Vector(1.0, 0.74, 0.36)
            * (1.0 * Foundation.exp(-apart * 5) + 5 * Foundation.exp(-apart * apart * 420))
        let sky = mix(
            Vector(0.62, 0.42, 0.22), Vector(0.20, 0.31, 0.46), smoothstep(0, 0.45, slope.y))
        let crowns = 0.06 + 0.05 * Noise.fractal(Plane(slope.x * 7, 0.5), octaves: 3, seed: 31)
        let leaves = Noise.fractal(slope * 14, octaves: 2, seed: 32)
        let wood = mix(Vector(0.05, 0.075, 0.025), Vector(0.17, 0.16, 0.05), 0.5 + leaves)
        var light = mix(wood, sky, smoothstep(-0.025, 0.03, slope.y - crowns))
        // Sunlight between the leaves, as discs.
        let p = slope * 11
        let cell = p.rounded(.down)
        for step in 0..<9 {
            let near = cell + Plane(Float(step % 3) - 1, Float(step / 3) - 1)
            let spark = Noise.random(Int(near.x), Int(near.y), seed: 33)
            let gap = (p - near - Plane(spark.x, spark.y)).length - 0.34
            let shown =
                smoothstep(0.06, -0.06, gap)
                * smoothstep(0.05, 0, abs(near.y / 11 - crowns + 0.03) - 0.05)
            light += Vector(0.75, 0.58, 0.22) * (shown * smoothstep(0.55, 1, spark.w) * 0.6)
        }
        return light + glow
    }
}
