import Foundation

/// The far shore of a lake: woods, with snowy mountains behind.
struct Alps: Terrain {
    /// Selects one range.
    var seed: UInt32
    /// Shifts the range under the camera, in widths of a mountain.
    var offset: Plane
    /// Height of the snow line, in metres.
    ///
    /// The default is a summer's snow line.
    var snowLine: Float = 1150

    var ceiling: Float { 3400 }

    func height(_ place: Plane, detail: Float) -> Float {
        let bend = Noise.fractal(place / 700, octaves: 2, seed: seed &+ 40)
        let inland = place.y - 900 + bend * 260 - abs(place.x) * 0.25
        guard inland > 0 else { return inland * 0.1 }
        // Octaves finer than the detail would only alias.
        let octaves = min(max(log2(4000 / max(detail, 0.5)) - 1.5, 2), 10)
        let hills = Noise.fractal(place / 420, octaves: min(octaves - 3, 5), seed: seed &+ 20)
        let land = inland * 0.03 + smoothstep(0, 900, inland) * 70 * (hills + 0.6)
        let range = Noise.eroded(place / 4000 + offset, octaves: octaves, seed: seed)
        let height = land + smoothstep(100, 5200, inland) * ceiling * range * range
        return height + conifers(place, height: height, detail: detail)
    }

    func albedo(_ place: Plane, height: Float, normal: Vector, detail: Float) -> Vector {
        let patch = Noise.fractal(place / 260, octaves: 4, seed: seed &+ 60)
        let fine = Noise.fractal(place / 18, octaves: 3, seed: seed &+ 70)
        let rock = Vector(0.30, 0.27, 0.25) * (0.75 + 0.35 * fine)
        let grass = mix(Vector(0.07, 0.10, 0.03), Vector(0.15, 0.135, 0.055), 0.5 + patch)
        let needles = mix(Vector(0.018, 0.036, 0.016), Vector(0.04, 0.055, 0.018), 0.5 + fine)
        let steep = smoothstep(0.8, 0.6, normal.y + 0.12 * fine) * smoothstep(60, 500, height)
        let bare = max(steep, smoothstep(1000, 1500, height + 300 * patch))
        let line = snowLine + 260 * patch + 160 * fine
        let snow =
            smoothstep(line - 160, line + 200, height)
            * smoothstep(0.48, 0.66, normal.y + 0.12 * fine)
        let open = mix(mix(grass, rock, bare), Vector(0.86, 0.88, 0.92), snow)
        let crown = smoothstep(0.3, 1.5, conifers(place, height: height, detail: detail))
        return mix(open, needles, max(woodland(place, height), crown))
    }

    /// Density of the wood, from 0 to 1.
    private func woodland(_ place: Plane, _ height: Float) -> Float {
        guard height > 1, height < 1200 else { return 0 }
        let patch = Noise.fractal(place / 380, octaves: 4, seed: seed &+ 80)
        return smoothstep(-0.3, -0.05, patch) * smoothstep(1000, 600, height + 300 * patch)
            * smoothstep(1, 4, height)
    }

    /// Height of the conifers: cones on two lattices rotated against each other.
    private func conifers(_ place: Plane, height: Float, detail: Float) -> Float {
        guard detail < 14 else { return 0 }
        let wood = woodland(place, height)
        guard wood > 0.02 else { return 0 }
        var top: Float = 0
        for (lattice, axis) in [(UInt32(1), Plane(0.136, 0.042)), (2, Plane(0.065, 0.127))] {
            let p = Plane(dot(place, axis), dot(place, Plane(-axis.y, axis.x)))
            let cell = p.rounded(.down)
            let tree = Noise.random(Int(cell.x), Int(cell.y), seed: seed &+ lattice)
            guard tree.w < wood else { continue }
            let centre = cell + 0.5 + (Plane(tree.x, tree.y) - 0.5) * 0.35
            top = max(top, (8 + 14 * tree.z * tree.z) * (1 - (p - centre).length * 2))
        }
        return top * (1 - detail / 14)
    }
}
