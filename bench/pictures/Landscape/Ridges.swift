import Foundation

/// Wooded ridges, one behind the other.
struct Ridges: Terrain {
    /// Selects one landscape.
    var seed: UInt32 = 11
    /// Shifts the land under the camera, in metres.
    var offset: Plane = .zero
    var ceiling: Float { 1500 }

    func height(_ camera: Plane, detail: Float) -> Float {
        let place = camera + offset
        let octaves = min(max(log2(3000 / max(detail, 0.5)) - 0.5, 2), 10)
        let bent = place + Noise.fractal(place / 2500, octaves: 2, seed: seed &+ 30) * 500
        let ridge = Noise.eroded(bent / [3600, 1900], octaves: octaves, seed: seed)
        let rise = smoothstep(500, 16_000, camera.y) * 300
        return 1100 * ridge * ridge + rise + canopy(place, detail: detail)
    }

    func albedo(_ place: Plane, height: Float, normal: Vector, detail: Float) -> Vector {
        let patch = Noise.fractal(place / 300, octaves: 4, seed: seed &+ 60)
        return mix(
            Vector(0.035, 0.05, 0.02), Vector(0.10, 0.075, 0.03), smoothstep(-0.5, 0.6, patch))
    }

    /// Height of the tree tops.
    private func canopy(_ place: Plane, detail: Float) -> Float {
        guard detail < 20 else { return 0 }
        let p = Plane(dot(place, [0.08, 0.03]), dot(place, [-0.03, 0.08]))
        let cell = p.rounded(.down)
        let tree = Noise.random(Int(cell.x), Int(cell.y), seed: seed &+ 50)
        let centre = cell + 0.5 + (Plane(tree.x, tree.y) - 0.5) * 0.3
        return max((9 + 14 * tree.z) * (1 - (p - centre).length * 1.7), 0) * (1 - detail / 20)
    }
}
