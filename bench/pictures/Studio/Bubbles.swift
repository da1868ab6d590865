import Foundation

/// Soap bubbles on a transparent background: nearly clear in the middle, denser towards the rim.
struct Bubbles: PointScene {
    private let bubbles: [(centre: Plane, radius: Float)] = [
        (Plane(-0.16, 0.10), 0.66), (Plane(0.60, -0.50), 0.34), (Plane(-0.62, -0.70), 0.21),
        (Plane(0.68, 0.62), 0.19), (Plane(0.12, -0.80), 0.11), (Plane(0.86, 0.02), 0.08),
    ]

    func light(at place: Plane) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        for (index, bubble) in bubbles.enumerated() {
            let p = (place - bubble.centre) / bubble.radius
            guard p.length < 1 else { continue }
            let film = film(p, seed: UInt32(index) &* 13 &+ 60)
            sum += film * (1 - sum.w)
        }
        return sum
    }

    private func film(_ p: Plane, seed: UInt32) -> SIMD4<Float> {
        let facing = (1 - dot(p, p)).squareRoot()
        let normal = Vector(p.x, p.y, facing)
        let fresnel = 0.05 + 0.95 * pow(1 - facing, 3.2)
        let colour = interference(p, facing, seed) * (0.35 + 1.3 * fresnel)
        let front = lamps(Vector(0, 0, -1).reflected(normal))
        // The rear wall reflects the same lamps upside down and fainter.
        let rear = lamps(Vector(0, 0, -1).reflected(Vector(-p.x, -p.y, facing))) * 0.35
        let light = colour * (fresnel * 0.9 + 0.10) + (front + rear) * 0.8
        let opacity = min(max(fresnel * 0.62 + 0.05, light.max() * 0.9), 1)
        return SIMD4(light, opacity)
    }

    /// Thin-film colours: the reflections of both faces interfere, depending on the wavelength.
    private func interference(_ p: Plane, _ facing: Float, _ seed: UInt32) -> Vector {
        let drift = Plane(
            Noise.fractal(p * 0.9 + 7, octaves: 4, seed: seed),
            Noise.fractal(p * 0.9 - 5, octaves: 4, seed: seed &+ 9))
        let swirl = Noise.fractal(p * [0.8, 1.5] + drift * 1.7, octaves: 3, seed: seed &+ 5)
        // In nanometres. Soap runs down, so the film is thinner at the top.
        let thickness = 430 - 210 * p.y + 170 * swirl
        // Refraction makes the ray steeper inside the film (Snell's law, index 1.33).
        let steep = (1 - (1 - facing * facing) / (1.33 * 1.33)).squareRoot()
        let path = 2 * 1.33 * thickness * steep
        let wave = Vector(path / 612, path / 549, path / 465) * (2 * .pi)
        return 0.5 - 0.5 * Vector(cos(wave.x), cos(wave.y), cos(wave.z))
    }

    /// A window with a cross at the upper left, and a dim one opposite.
    private func lamps(_ ray: Vector) -> Vector {
        window(ray, towards: Vector(-0.62, 0.60, 0.5).unit, size: 0.30) * Vector(1.0, 1.02, 1.06)
            + window(ray, towards: Vector(0.72, 0.15, 0.2).unit, size: 0.16)
            * Vector(0.4, 0.38, 0.34)
    }

    private func window(_ ray: Vector, towards lamp: Vector, size: Float) -> Float {
        guard dot(ray, lamp) > 0.3 else { return 0 }
        let across = Vector(lamp.z, 0, -lamp.x).unit
        let p = Plane(dot(ray, across), ray.y - lamp.y * dot(ray, lamp)) / dot(ray, lamp) / size
        return smoothstep(1, 0.88, abs(p.x)) * smoothstep(1.2, 1.08, abs(p.y))
            * smoothstep(0.02, 0.09, abs(p.x)) * smoothstep(0.02, 0.09, abs(p.y - 0.1))
    }
}
