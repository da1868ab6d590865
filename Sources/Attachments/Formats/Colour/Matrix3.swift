package struct Matrix3: Sendable {
    // Columns.
    package var first: SIMD3<Float>
    package var second: SIMD3<Float>
    package var third: SIMD3<Float>

    package init(columns first: SIMD3<Float>, _ second: SIMD3<Float>, _ third: SIMD3<Float>) {
        (self.first, self.second, self.third) = (first, second, third)
    }

    /// Inverse by cross products (Cramer's rule); the determinant must not be 0.
    package var inverse: Matrix3 {
        let (a, b, c) = (cross(second, third), cross(third, first), cross(first, second))
        let scale = 1 / (first * a).sum()
        return Matrix3(
            columns: SIMD3(a.x, b.x, c.x) * scale, SIMD3(a.y, b.y, c.y) * scale,
            SIMD3(a.z, b.z, c.z) * scale)
    }

    @inline(__always)
    package static func * (matrix: Matrix3, vector: SIMD3<Float>) -> SIMD3<Float> {
        matrix.first * vector.x + matrix.second * vector.y + matrix.third * vector.z
    }

    package static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(columns: left * right.first, left * right.second, left * right.third)
    }
}

private func cross(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
