import Foundation

/// A brass thimble and its shadow on a transparent background.
struct Thimble: PointScene {
    /// Height at which the dome begins.
    private static let shoulder: Float = 1.22
    /// Radius of the dome.
    private static let dome: Float = 0.53
    private let eye = Vector(0, 2.35, -5.6)

    func light(at place: Plane) -> SIMD4<Float> {
        let ahead = Vector(0, -0.30, 1).unit, up = Vector(0, 0.957_826, 0.287_348)
        let ray = (ahead * 3.9 + up * (place.y - 0.02) + Vector(place.x + 0.16, 0, 0)).unit
        var reach: Float = 3.5
        for _ in 0..<90 where reach < 9 {
            let step = distance(eye + ray * reach)
            if step < 0.0008 {
                return SIMD4(metal(eye + ray * reach, ray), 1)
            }
            reach += step * 0.8
        }
        return ray.y < 0 ? shadow(eye - ray * (eye.y / ray.y)) : .zero
    }

    /// Approximate signed distance to the surface.
    private func distance(_ p: Vector) -> Float {
        let axis = Plane(p.x, p.z).length
        let side = Plane(axis, p.y - Self.shoulder)
        let wall = (axis - mix(0.70, Self.dome, p.y / Self.shoulder)) * 0.99
        let cap = side.length - Self.dome
        var body = p.y > Self.shoulder ? cap : max(wall, -p.y)
        let bead = Plane(axis - 0.705, p.y - 0.055).length - 0.055
        let cord = Plane(axis - 0.655, p.y - 0.36).length - 0.022
        body += dent(p) * 0.022
        return Self.joined(Self.joined(body, bead), cord)
    }

    /// Union of two distances, with a small fillet.
    private static func joined(_ a: Float, _ b: Float) -> Float {
        let overlap = max(0.02 - abs(a - b), 0)
        return min(a, b) - overlap * overlap * 12.5
    }

    /// Depth of the dimples, from 0 to 1.
    ///
    /// They are in rings, with fewer dimples towards the top.
    private func dent(_ p: Vector) -> Float {
        guard p.y > 0.45 else { return 0 }
        let (spacing, most): (Float, Float) = (0.128, 26)
        let rise = max(p.y - Self.shoulder, 0) / Self.dome
        let height = rise > 0 ? asin(min(rise, 1)) * Self.dome : p.y - Self.shoulder
        let ring = (height / spacing).rounded(.down)
        let count = (most * cos(max(ring + 0.5, 0) * spacing / Self.dome)).rounded()
        let along = atan2(p.z, p.x) / (2 * .pi) * max(count, 1) + ring * 0.5
        let middle = Plane(along - along.rounded(.down), height / spacing - ring) - 0.5
        return smoothstep(0.43, 0.10, middle.length)
    }

    private func metal(_ p: Vector, _ ray: Vector) -> Vector {
        let e: Float = 0.0015
        let slope = Vector(
            distance(p + Vector(e, 0, 0)) - distance(p - Vector(e, 0, 0)),
            distance(p + Vector(0, e, 0)) - distance(p - Vector(0, e, 0)),
            distance(p + Vector(0, 0, e)) - distance(p - Vector(0, 0, e)))
        let normal = slope.unit
        let scratch =
            Noise.fractal(Plane(atan2(p.z, p.x) * 3, p.y * 90), octaves: 3, seed: 3) * 0.025
        let mirrored = ray.reflected((normal + Vector(0, scratch, 0)).unit)
        let brass = mix(Vector(0.93, 0.66, 0.29), .one, pow(1 - max(-dot(ray, normal), 0), 5))
        let crevice = (1 - 0.45 * dent(p)) * smoothstep(-0.25, 0.5, p.y)
        return brass * studio(mirrored, p) * mix(0.5, 1, crevice)
    }

    /// A studio: a large lamp on the left, a narrow one on the right, dark between.
    private func studio(_ ray: Vector, _ p: Vector) -> Vector {
        let sweep = mix(
            Vector(0.10, 0.085, 0.075), Vector(0.62, 0.64, 0.68), smoothstep(-0.4, 1, ray.y))
        let left = smoothstep(0.25, 0.62, -ray.x) * smoothstep(-0.35, 0.1, ray.y)
        let right = smoothstep(0.16, 0.05, abs(ray.x - 0.86)) * smoothstep(-0.3, 0.2, ray.y)
        let top = smoothstep(0.75, 0.95, ray.y)
        let floor =
            Vector(0.30, 0.25, 0.20) * smoothstep(-0.1, -0.8, ray.y) * smoothstep(-0.1, 0.6, p.y)
        return sweep * 0.5 + floor + Vector(2.6, 2.5, 2.35) * left + Vector(1.5, 1.6, 1.8) * right
            + Vector(repeating: 1.1 * top)
    }

    /// Black, with the shadow's density as alpha.
    private func shadow(_ p: Vector) -> SIMD4<Float> {
        let foot = Plane(p.x, p.z)
        let along = min(max(dot(foot, Plane(0.92, 0.39)) / 1.5, 0), 1)
        let apart = (foot - Plane(0.92, 0.39) * (along * 1.5)).length - mix(0.68, 0.42, along)
        let cast =
            0.42 * smoothstep(0.12 + along * 0.5, -0.12 - along * 0.4, apart) * (1 - 0.6 * along)
        let contact = 0.5 * Foundation.exp(-max(foot.length - 0.70, 0) * 9)
        return SIMD4(0, 0, 0, 1 - (1 - cast) * (1 - contact))
    }
}
