import Foundation

/// Sand dunes: long crests with a gentle windward side, a steep lee side and fine ripples.
struct Dunes: Terrain {
    /// Selects one desert.
    var seed: UInt32 = 5
    /// Shifts the sand under the camera, in metres.
    var offset: Plane = .zero
    var ceiling: Float { 95 }

    func height(_ camera: Plane, detail: Float) -> Float {
        let place = camera + offset
        let bent =
            place + Plane(
                Noise.sloped(place / 210, seed: seed &+ 10).value,
                Noise.sloped(place / 210, seed: seed &+ 20).value) * 60
        let height =
            crest(bent / [330, 210], octaves: 2, seed) * 62
            + crest(Plane(bent.x - bent.y, bent.x + bent.y) / [170, 105], octaves: 1, seed &+ 1)
            * 13
        return height + ripples(place, detail)
    }

    func albedo(_ place: Plane, height: Float, normal: Vector, detail: Float) -> Vector {
        let tint = Noise.fractal(place / 40, octaves: 4, seed: seed &+ 60)
        return mix(Vector(0.53, 0.33, 0.17), Vector(0.57, 0.37, 0.195), 0.5 + tint)
    }

    /// A sharp crest at sign changes of the noise, from 0 to 1.
    private func crest(_ p: Plane, octaves: Float, _ seed: UInt32) -> Float {
        let noise = Noise.fractal(p, octaves: octaves, seed: seed, gain: 0.3)
        // The lee side is steeper than the windward side.
        let fold = max(1 - abs(noise) * (noise > 0 ? 1.6 : 2.6), 0)
        return fold * mix(noise > 0 ? 0.8 : 0.5, 1, fold)
    }

    /// Ripples of sand, a hand wide, across the wind.
    private func ripples(_ place: Plane, _ detail: Float) -> Float {
        let seen = smoothstep(0.12, 0.03, detail)
        guard seen > 0 else { return 0 }
        let sway = Noise.fractal(place / [16, 7], octaves: 4, seed: seed &+ 40)
        let phase = dot(place, Plane(3.5, 8.3)) + sway * 6
        let wave = sin(phase)
        return 0.022 * seen * (wave + 0.3 * wave * wave)
    }
}
