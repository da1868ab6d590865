struct Ball: Sendable, Equatable {
    enum Material: Sendable, Equatable {
        case clay(Vector), glaze(Vector), metal(Vector), glass, orange
    }

    let centre: Vector
    let radius: Float
    let material: Material

    /// Distance at which a ray hits the ball; nil if it misses.
    func distance(from origin: Vector, _ ray: Vector) -> Float? {
        let towards = origin - centre
        let half = dot(towards, ray)
        let rest = half * half - dot(towards, towards) + radius * radius
        guard rest > 0 else { return nil }
        let distance = -half - rest.squareRoot()
        return distance > 1e-3 ? distance : nil
    }

    /// Surface normal, with the small dents of the material.
    func normal(at place: Vector) -> Vector {
        let normal = (place - centre) / radius
        let size: (scale: Float, depth: Float)
        switch material {
        case .orange: size = (21, 0.045)
        case .clay: size = (17, 0.03)
        default: return normal
        }
        let sides = [
            Plane(normal.y, normal.z), Plane(normal.z, normal.x), Plane(normal.x, normal.y),
        ]
        var bump = Vector.zero
        for (axis, side) in sides.enumerated() {
            bump[axis] = Noise.fractal(side * size.scale + Float(axis) * 9, octaves: 3, seed: 31)
        }
        return (normal + bump * size.depth).unit
    }
}

extension Ball.Material {
    /// Average colour, for light reflected to neighbours.
    var tint: Vector {
        switch self {
        case .clay(let colour), .glaze(let colour): colour
        case .metal(let colour): colour * 0.5
        case .glass: Vector(0.10, 0.14, 0.11)
        case .orange: Vector(0.84, 0.31, 0.03)
        }
    }

    var isClay: Bool {
        if case .clay = self { true } else { false }
    }
}

/// Oiled oak boards.
enum Wood {
    static func colour(_ place: Plane) -> Vector {
        let board = (place.y / 1.55).rounded(.down)
        let across = place.y / 1.55 - board
        let shift = Noise.random(Int(board), 0, seed: 41)
        let p = Plane(place.x + shift.x * 40, place.y)
        let bow = Noise.fractal(p * [0.16, 0.5], octaves: 3, seed: 42)
        let rings = Noise.fractal(Plane(p.x * 0.25, p.y * 6 + bow * 9), octaves: 4, seed: 43)
        let pores = Noise.fractal(p * [3.5, 90], octaves: 2, seed: 44)
        let shade = 0.5 + 0.55 * rings + 0.10 * (shift.y - 0.5)
        let oak = mix(Vector(0.10, 0.045, 0.02), Vector(0.30, 0.17, 0.085), shade)
        let gap = smoothstep(0, 0.012, min(across, 1 - across))
        return oak * ((1 - 0.28 * smoothstep(0.05, 0.5, pores)) * mix(0.25, 1, gap))
    }
}
