import Foundation

/// A position or a slope in the plane.
typealias Plane = SIMD2<Float>

/// A position, a direction, or the red, green and blue of light.
typealias Vector = SIMD3<Float>

func dot(_ a: Plane, _ b: Plane) -> Float { a.x * b.x + a.y * b.y }

func dot(_ a: Vector, _ b: Vector) -> Float { a.x * b.x + a.y * b.y + a.z * b.z }

/// Linear interpolation.
func mix(_ a: Float, _ b: Float, _ t: Float) -> Float { a + (b - a) * t }

/// Linear interpolation.
func mix(_ a: Vector, _ b: Vector, _ t: Float) -> Vector { a + (b - a) * t }

func smoothstep(_ low: Float, _ high: Float, _ x: Float) -> Float {
    let t = min(max((x - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
}

func exp(_ v: Vector) -> Vector { Vector(exp(v.x), exp(v.y), exp(v.z)) }

extension SIMD2<Float> {
    var length: Float { dot(self, self).squareRoot() }

    /// Counter-clockwise rotation.
    func rotated(by angle: Float) -> Plane {
        let (c, s) = (cos(angle), sin(angle))
        return Plane(c * x - s * y, s * x + c * y)
    }
}

extension SIMD3<Float> {
    var length: Float { dot(self, self).squareRoot() }

    var unit: Vector { self / length }

    /// Mirror reflection of a ray.
    func reflected(_ normal: Vector) -> Vector { self - normal * (2 * dot(self, normal)) }
}
