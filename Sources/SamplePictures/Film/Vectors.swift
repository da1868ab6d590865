import Foundation

/// A place or a slope on a plane.
typealias Plane = SIMD2<Float>

/// A place, a direction, or the red, green and blue of light.
typealias Vector = SIMD3<Float>

/// The sum of the products of two vectors' elements.
func dot(_ a: Plane, _ b: Plane) -> Float { a.x * b.x + a.y * b.y }

/// The sum of the products of two vectors' elements.
func dot(_ a: Vector, _ b: Vector) -> Float { a.x * b.x + a.y * b.y + a.z * b.z }

/// The way from one value to another: 0 is the first, 1 the second.
func mix(_ a: Float, _ b: Float, _ t: Float) -> Float { a + (b - a) * t }

/// The way from one vector to another: 0 is the first, 1 the second.
func mix(_ a: Vector, _ b: Vector, _ t: Float) -> Vector { a + (b - a) * t }

/// A cubic step: 0 below the first edge, 1 above the second.
func smoothstep(_ low: Float, _ high: Float, _ x: Float) -> Float {
    let t = min(max((x - low) / (high - low), 0), 1)
    return t * t * (3 - 2 * t)
}

/// The exponential of each element.
func exp(_ v: Vector) -> Vector { Vector(exp(v.x), exp(v.y), exp(v.z)) }

extension SIMD2<Float> {
    /// The Euclidean length.
    var length: Float { dot(self, self).squareRoot() }

    /// The same vector turned counter-clockwise.
    ///
    /// - Parameter angle: In radians.
    /// - Returns: The turned vector.
    func turned(by angle: Float) -> Plane {
        let (c, s) = (cos(angle), sin(angle))
        return Plane(c * x - s * y, s * x + c * y)
    }
}

extension SIMD3<Float> {
    /// The Euclidean length.
    var length: Float { dot(self, self).squareRoot() }

    /// The vector of the same direction and length 1.
    var unit: Vector { self / length }

    /// The direction of a ray that a mirror sends back.
    ///
    /// - Parameter normal: Of the mirror, of length 1.
    /// - Returns: The direction after the mirror.
    func reflected(_ normal: Vector) -> Vector { self - normal * (2 * dot(self, normal)) }
}
