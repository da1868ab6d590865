import Foundation

/// One row of a meadow: blades of grass and some flowers.
struct Row: Sendable {
    /// Counted from the nearest.
    let index: Int
    /// Blur radius, in metres at the row.
    let blur: Float

    private var seed: UInt32 { UInt32(index) &* 101 &+ 400 }

    func grass(_ p: Plane) -> SIMD4<Float> {
        let spacing: Float = 0.045
        let ground = 0.05 * Noise.sloped(Plane(p.x * 1.3, Float(index)), seed: 41).value
        let y = p.y - ground
        guard y < 0.5 else { return .zero }
        if y < 0 { return SIMD4(0.006, 0.010, 0.002, 1) }
        let cell = (p.x / spacing).rounded(.down)
        var (light, open) = (Vector.zero, Float(1))
        for step in -3...3 {
            let column = Int(cell) + step
            let blade = Noise.random(column, index, seed: seed)
            let tall = 0.14 + 0.32 * blade.z * blade.z + 0.03 * blade.x
            let t = y / tall
            guard t < 1 else { continue }
            let lean = (blade.w - 0.45) * 0.22 * t * t
            let middle = (Float(column) + blade.x) * spacing + lean
            let half = (0.0024 + 0.0022 * blade.y) * (1 - t * t)
            let cover = self.cover(abs(p.x - middle) - half, size: half)
            guard cover > 0 else { continue }
            // The evening sun shines through the blades.
            let fresh = mix(Vector(0.30, 0.40, 0.035), Vector(0.66, 0.50, 0.10), blade.y * blade.y)
            let lit = smoothstep(0.02, 0.36, y) * (0.55 + 0.45 * blade.x)
            let side = 0.72 + 0.28 * min(max((p.x - middle) / max(half, 1e-4), -1), 1)
            light += (fresh * (lit * side) + Vector(0.006, 0.012, 0.003)) * (cover * open)
            open *= 1 - cover
        }
        return open < 1 ? SIMD4(light / (1 - open), 1 - open) : .zero
    }

    /// The flower and its stalk.
    func flower(_ p: Plane) -> SIMD4<Float> {
        let spacing: Float = 0.36
        let column = Int((p.x / spacing).rounded(.down))
        let own = Noise.random(column, index, seed: seed &+ 50)
        guard own.w < 0.36, index > 6 else { return .zero }
        let more = Noise.random(column, index, seed: seed &+ 51)
        let kind = own.w / 0.36
        let tall = 0.30 + 0.26 * own.y
        let sway = (more.x - 0.5) * 0.10
        let head = Plane((Float(column) + 0.3 + 0.4 * own.x) * spacing, tall)
        let tilt = 0.55 + 0.4 * more.y
        let q = Plane(p.x - head.x, (p.y - head.y) / tilt).rotated(by: (more.z - 0.5) * 0.9)
        let bloom =
            kind < 0.55
            ? poppy(q, size: 0.036 + 0.012 * more.w, seed: UInt32(truncatingIfNeeded: column))
            : kind < 0.8 ? daisy(q, size: 0.024) : cornflower(q, size: 0.024, turn: more.x)
        if bloom.w > 0 { return bloom }
        let t = p.y / tall
        guard t < 0.99, t > 0 else { return .zero }
        let bend = head.x + sway * (t * t - 1)
        let cover = self.cover(abs(p.x - bend) - 0.0016, size: 0.0016)
        let stalk = Vector(0.16, 0.20, 0.03) * smoothstep(0, 0.4, p.y)
        return SIMD4(stalk, cover)
    }

    private func poppy(_ q: Plane, size: Float, seed: UInt32) -> SIMD4<Float> {
        let radius = q.length / size
        guard radius < 1.6 else { return .zero }
        let angle = atan2(q.y, q.x)
        let crease = Noise.fractal(Plane(angle * 5, radius * 1.5), octaves: 3, seed: seed)
        let edge = 0.92 + 0.10 * cos(angle * 4 + 0.6) + 0.07 * crease
        let cover = self.cover((radius - edge) * size, size: size)
        // The rear petals are lit from behind, the front ones are in shade.
        let through = smoothstep(-0.75, 0.55, q.y / size) * (0.75 + 0.3 * crease)
        var colour = mix(Vector(0.34, 0.008, 0.004), Vector(1.15, 0.085, 0.015), through)
        colour = mix(
            colour, Vector(0.015, 0.006, 0.010), smoothstep(0.42, 0.22, radius + 0.1 * crease))
        return SIMD4(colour, cover)
    }

    private func daisy(_ q: Plane, size: Float) -> SIMD4<Float> {
        let radius = q.length / size
        guard radius < 2 else { return .zero }
        let angle = atan2(q.y, q.x)
        let petals = 0.82 + 0.18 * cos(angle * 13)
        let cover = self.cover((radius - petals) * size, size: size)
        let white = mix(
            Vector(0.42, 0.40, 0.42), Vector(1.0, 0.93, 0.78), smoothstep(-1, 0.8, q.y / size))
        let disc = smoothstep(0.36, 0.30, radius)
        let light = mix(white * mix(0.7, 1, petals), Vector(0.85, 0.48, 0.03), disc)
        return SIMD4(light, cover)
    }

    private func cornflower(_ q: Plane, size: Float, turn: Float) -> SIMD4<Float> {
        let radius = q.length / size
        guard radius < 2 else { return .zero }
        let angle = atan2(q.y, q.x) + turn * 6
        let spikes = 0.72 + 0.20 * abs(sin(angle * 4.5)) + 0.08 * cos(angle * 23)
        let cover = self.cover((radius - spikes) * size, size: size)
        let blue = mix(
            Vector(0.09, 0.10, 0.42), Vector(0.26, 0.34, 0.95), smoothstep(-0.8, 0.8, q.y / size))
        return SIMD4(mix(Vector(0.10, 0.03, 0.20), blue, smoothstep(0.2, 0.5, radius)), cover)
    }

    /// Coverage at a distance from the edge of an object that is out of focus.
    private func cover(_ outside: Float, size: Float) -> Float {
        smoothstep(blur, -blur, outside) * min(1, (size + blur * 0.3) / (blur + 1e-6))
    }
}
