import Foundation

/// A clear northern night: stars, an aurora, and a moon behind the camera.
struct NightSky: Firmament {
    /// Phase of the aurora's motion, periodic with 1.
    var phase: Float = 0
    /// Selects one aurora.
    var seed: UInt32

    let sun = Vector(-0.6, 0.45, -0.66).unit
    let sunlight = Vector(0.10, 0.13, 0.19)
    let skylight = Vector(0.012, 0.05, 0.045)

    func light(_ direction: Vector) -> Vector {
        air(direction) + stars(direction) + aurora(direction)
    }

    func air(_ direction: Vector) -> Vector {
        let height = min(max(direction.y, 0) * 2.2, 1).squareRoot()
        return mix(Vector(0.020, 0.055, 0.062), Vector(0.004, 0.010, 0.026), height)
    }

    /// Two layered curtains of light: green below, crimson above.
    private func aurora(_ direction: Vector) -> Vector {
        guard direction.y > 0.02 else { return .zero }
        let sway = Plane(cos(phase * 2 * .pi), sin(phase * 2 * .pi)) * 0.12
        let layers = 24
        var sum = Vector.zero
        for layer in 0..<layers {
            let rise = Float(layer) / Float(layers)
            let reach = (1 + rise * 0.9) / (direction.y + 0.08)
            let p = Plane(direction.x, direction.z) * reach
            let bend = Noise.fractal(
                [p.x * 0.42 + sway.x, p.y * 0.12 + sway.y], octaves: 2, seed: seed)
            let curtains = veil(p.y - 2.1 - bend * 2.2) + 0.7 * veil(p.y * 0.6 - 2.8 - bend * 1.7)
            guard curtains > 0.01 else { continue }
            let rays = Noise.fractal(
                Plane(p.x * 7 + bend * 6, p.y * 0.6) + sway * 4, octaves: 3, seed: seed &+ 10)
            let patch = Noise.sloped(p * 0.35 + sway, seed: seed &+ 20).value
            let extent = mix(0.25, 1, smoothstep(-0.55, 0.35, patch))
            let fade = smoothstep(0, 0.07, rise) * exp(-rise * 4)
            let strength = curtains * extent * fade * max(0.6 + 0.7 * rays, 0.08)
            let colour = mix(
                Vector(0.10, 1, 0.42), Vector(0.85, 0.12, 0.75), smoothstep(0.15, 0.8, rise))
            sum += colour * strength
        }
        return sum * (12 / Float(layers)) * smoothstep(0.02, 0.2, direction.y)
    }

    /// Brightness across a curtain: a sharp front and a softer back.
    private func veil(_ depth: Float) -> Float { exp(depth < 0 ? depth * 11 : -depth * 5) }

    /// Stars on a lattice: a few bright, many faint.
    private func stars(_ direction: Vector) -> Vector {
        let p = Plane(direction.x, direction.z) / (direction.y + 0.7) * 150
        let cell = p.rounded(.down)
        let star = Noise.random(Int(cell.x), Int(cell.y), seed: 81)
        let offset = p - cell - 0.2 - Plane(star.x, star.y) * 0.6
        let power = pow(star.z, 40) * 5 + pow(star.z, 8) * 0.25
        let glow = exp(-dot(offset, offset) * 260) * power
        let colour = mix(Vector(1, 0.78, 0.6), Vector(0.7, 0.82, 1), star.w)
        return colour * (glow * smoothstep(0, 0.25, direction.y))
    }
}
