import Foundation

/// A gerbera from the front, with petals spaced by the golden angle and inner ones on top.
///
/// Its reds and the greens behind it are outside the sRGB gamut.
struct Gerbera: PointScene {
    /// True for a transparent background.
    var isCutOut = false

    private let petals = (0..<Petal.count).map(Petal.init)
    private let lamp = Vector(-0.50, 0.62, 0.60).unit

    func light(at place: Plane) -> SIMD4<Float> {
        let p = (place - Plane(0.08, -0.01)) * 1.1
        let radius = p.length
        let angle = atan2(p.y, p.x)
        var shade: Float = 1
        for petal in petals where radius < petal.tip * 1.15 {
            var turn = angle - petal.angle
            turn -= (turn / (2 * .pi)).rounded() * 2 * .pi
            guard abs(turn) < 1.2 else { continue }
            let spot = Plane(cos(turn), sin(turn)) * radius
            let edge = petal.edge(spot)
            if edge < 0 { return SIMD4(light(of: petal, spot, angle - turn) * shade, 1) }
            // A petal shades those below it near its edge.
            let reach = petal.isFloret ? 0.012 : Float(0.045)
            shade *= mix(0.5, 1, smoothstep(0, reach, edge))
        }
        if isCutOut { return .zero }
        return SIMD4(Bokeh.light(place) * mix(0.45, 1, smoothstep(0.6, 1.0, radius)), 1)
    }

    private func light(of petal: Petal, _ spot: Plane, _ angle: Float) -> Vector {
        let (along, across) = petal.share(spot)
        return petal.isFloret
            ? floretLight(petal, along, across, angle) : rayLight(petal, along, across, angle)
    }

    private func rayLight(
        _ petal: Petal, _ along: Float, _ across: Float, _ angle: Float
    ) -> Vector {
        let fibre = Noise.fractal(Plane(along * 3, across * 13), octaves: 3, seed: petal.seed)
        let blotch = Noise.fractal(
            Plane(along * 4, across * 1.2), octaves: 3, seed: petal.seed &+ 7)
        // Two furrows along the petal; the sides bend down, the tip bends back.
        let furrow = sin(across * 7.5) * 0.30 * smoothstep(0.1, 0.5, along)
        let bend = across * 0.45 + petal.roll * 0.28 + furrow + fibre * 0.14
        let rise = mix(-0.50, 0.62, along) + petal.lift * 0.16
        let facing = facing(level: Plane(rise * 0.7, bend), angle)
        let scarlet = mix(Vector(0.62, 0.004, 0.004), Vector(0.96, 0.050, 0.006), 0.5 + blotch)
        let flame = Vector(1.0, 0.30, 0.01)
        var colour = mix(scarlet, flame, smoothstep(0.62, 0.28, along + fibre * 0.05) * 0.85)
        colour *= 1 + 0.22 * fibre - 0.12 * smoothstep(0.7, 1, abs(across))
        // Transmitted light, and gloss.
        let through = colour * colour * (0.22 * smoothstep(0.3, 0.9, along))
        let sheen = Vector(0.9, 0.75, 0.7) * (0.05 * pow(facing.gloss, 18))
        return colour * (0.13 + 0.95 * facing.light) * mix(0.35, 1, smoothstep(0.22, 0.5, along))
            + through + sheen
    }

    private func floretLight(
        _ petal: Petal, _ along: Float, _ across: Float, _ angle: Float
    ) -> Vector {
        let ring = petal.tip / Petal.disc
        let facing = facing(level: Plane(mix(-0.2, 0.9, along), across * 0.9), angle)
        let heart = mix(
            Vector(0.20, 0.26, 0.02), Vector(0.16, 0.015, 0.010), smoothstep(0.15, 0.55, ring))
        let tip = mix(
            Vector(0.55, 0.55, 0.06), Vector(0.95, 0.52, 0.03), smoothstep(0.3, 0.9, ring))
        let colour = mix(heart, tip, smoothstep(0.72, 0.97, along))
        return colour * (0.14 + 0.95 * facing.light) * mix(0.35, 1, smoothstep(0.55, 0.95, along))
            + Vector(repeating: 0.10 * pow(facing.gloss, 30))
    }

    /// Diffuse and specular light of an inclined surface.
    private func facing(level: Plane, _ angle: Float) -> (light: Float, gloss: Float) {
        let turned = level.rotated(by: angle)
        let normal = Vector(turned.x, turned.y, 0.9).unit
        let half = (lamp + Vector(0, 0, 1)).unit
        return (max((dot(normal, lamp) + 0.15) / 1.15, 0), max(dot(normal, half), 0))
    }
}

/// Leaves and lights far out of focus.
enum Bokeh {
    static func light(_ place: Plane) -> Vector {
        let soft = Noise.fractal(place * 1.1 + 3, octaves: 2, seed: 52)
        var light = mix(Vector(0.004, 0.018, 0.006), Vector(0.016, 0.090, 0.010), 0.5 + soft)
        for layer in 0..<3 {
            let p = place * (2.1 + Float(layer)) + Float(layer) * 5.3
            let cell = p.rounded(.down)
            for step in 0..<9 {
                let near = cell + Plane(Float(step % 3) - 1, Float(step / 3) - 1)
                let spark = Noise.random(Int(near.x), Int(near.y), seed: 60 &+ UInt32(layer))
                guard spark.w > 0.7 else { continue }
                let gap = (p - near - Plane(spark.x, spark.y)).length - 0.30 - 0.35 * spark.z
                let disc = smoothstep(0.07, -0.07, gap) * (0.8 + 0.2 * smoothstep(-0.2, 0, gap))
                light +=
                    mix(Vector(0.004, 0.034, 0.006), Vector(0.050, 0.060, 0.010), spark.z) * disc
            }
        }
        return light
    }
}
